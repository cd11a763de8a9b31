create or replace function tasker.acknowledge_incident(
  p_incident  text,
  p_until     timestamptz  default null,
  p_reason    text         default null,
  p_actor     text         default null
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound    text[] := tasker.bound_namespaces();
  v_incident tasker.incidents;
begin
  perform tasker.administer(p_actor, p_reason);
  perform tasker.check_instant('end of the acknowledgement', p_until);
  select i.*
    into v_incident
    from tasker.incidents as i
   where i.incident = p_incident
     and i.ended_at is null
     and i.severity > 0
     and (v_bound is null or i.namespace = any (v_bound));
  if not found then
    raise exception using
      errcode = 'TK404',
      message = coalesce('no open incident is called "' || left(p_incident, 100) || '"', 'the incident is null'),
      hint    = 'tasker.list_incidents() returns the open incidents.';
  end if;
  if p_until <= tasker.clock() then
    raise exception using
      errcode = 'TK422',
      message = format('the acknowledgement would end at %s, which has passed', p_until),
      hint    = 'Name a time to come, or none: then it holds until the incident ends or becomes more severe.';
  end if;

  insert into tasker.incident_acknowledgements as a (incident, namespaces, severity, acknowledged_at, acknowledged_by, until, reason)
  values (
    v_incident.incident, case when v_incident.namespace is not null then array[v_incident.namespace] end, v_incident.severity,
    tasker.clock(), tasker.actor_name(p_actor), p_until, p_reason
  )
  on conflict (incident) do update
     set severity        = excluded.severity,
         acknowledged_at = excluded.acknowledged_at,
         acknowledged_by = excluded.acknowledged_by,
         until           = excluded.until,
         reason          = excluded.reason
   where (a.severity, a.acknowledged_by, a.until, a.reason) is distinct from (excluded.severity, excluded.acknowledged_by, excluded.until, excluded.reason)
      or a.acknowledged_at < v_incident.since;
  return found;
end;
$$;

comment on function tasker.acknowledge_incident is
$$Records that a person takes care of an open incident. Until p_until, lists show the incident only for information, and
"tasker health" does not count it. The acknowledgement ends early if the incident ends or becomes more severe. Without
p_until it lasts while the incident is open. Returns false if the incident was acknowledged in the same way before.

The default of p_actor is the caller's role. Locks the row of the acknowledgement. Raises TK404 if there is no such open
incident or the caller is bound to other namespaces, TK422 if p_until has passed, and TK413 if the actor's name or the
reason is too long.$$;

grant execute on function tasker.acknowledge_incident to tasker_operator;
