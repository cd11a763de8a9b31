create or replace function tasker.register_worker(
  p_worker_uuid  uuid,
  p_name         text,
  p_namespaces   text[]  default null,
  p_handlers     text[]  default null,
  p_version      text    default null
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_inserted boolean;
  v_idle     integer := 0;
begin
  if p_worker_uuid is null or length(p_name) not between 1 and 200 or p_name is null then
    raise exception using
      errcode = 'TK422',
      message = 'a worker needs a UUID, and a name of 1 to 200 characters',
      hint    = 'Use a new UUID for each process, and a name that people recognise, such as host and process.';
  end if;
  perform tasker.check_given_name('name of a worker', p_name, 200);
  perform tasker.check_given_name('version of a worker', p_version, 100);
  if cardinality(p_handlers) > 10000 or exists (select from unnest(p_handlers) as h (name) where h.name is null or length(h.name) > 250) then
    raise exception using
      errcode = 'TK422',
      message = 'the handlers of a worker are at most 10000 names of at most 250 characters',
      hint    = 'Null means that the worker may have any handler.';
  end if;
  perform tasker.check_bound_namespaces(p_namespaces);
  perform tasker.check_array_size('namespaces', cardinality(p_namespaces), 1000);
  perform tasker.check_namespace_exists(u.namespace)
     from unnest(p_namespaces) as u (namespace);

  perform tasker.check_worker(p_worker_uuid, true);
  -- Histories name the workers that have claimed a step. Delete other workers that were not seen for a day.
  delete from tasker.workers as w
   where w.worker_uuid = any (array(
     select i.worker_uuid
       from tasker.workers as i
      where i.claimed_count = 0
        and i.last_seen_at < tasker.clock() - interval '1 day'
      limit 100
        for update skip locked
   ));
  if not exists (select from tasker.workers as w where w.worker_uuid = p_worker_uuid) then
    select count(*)
      into v_idle
      from tasker.workers as w
     where w.login = session_user
       and w.claimed_count = 0;
  end if;
  if v_idle >= 10000 then
    raise exception using
      errcode = 'TK413',
      message = format('%s workers of role "%s" are entered that have claimed nothing', v_idle, session_user),
      hint    = 'A process registers once, under one UUID. What has claimed nothing is forgotten a day after it was last seen.';
  end if;

  insert into tasker.workers as w (worker_uuid, name, role, may_serve, namespaces, handlers, version)
  values (p_worker_uuid, p_name, tasker.set_role(), tasker.bound_namespaces(), coalesce(p_namespaces, '{}'), p_handlers, nullif(p_version, ''))
  on conflict (worker_uuid) do update
     set name         = excluded.name,
         namespaces   = excluded.namespaces,
         handlers     = excluded.handlers,
         version      = excluded.version,
         last_seen_at = tasker.clock()
  returning w.xmax = 0 into v_inserted;
  return v_inserted;
end;
$$;

comment on function tasker.register_worker is
$$Registers a worker process under a name that people recognise, with the namespaces that it serves (null: all), its handlers (null: any) and the version of its program. tasker.list_unserved_steps reads the handlers, and tasker.list_incident_shares compares deployments by the version. Returns true if the worker is new. Updates a known worker and returns false. The worker belongs to the role that registered it. Only that role may claim under the worker's UUID. Operators whose namespaces include the worker's namespaces may rename it.

A worker can claim without this call: its first claim of a step registers it, with its UUID as name. Locks the worker's row. Raises TK422 without a UUID or a name of 1 to 200 characters, TK413 for a version of more than 100 characters, TK422 for more than 10,000 handlers or a handler of more than 250 characters, TK404 for an unknown namespace, TK403 if the role is bound to other namespaces or the worker belongs to another role, TK413 if 10,000 workers of the role have claimed no step.$$;

grant execute on function tasker.register_worker
  to tasker_worker, tasker_orchestrator, tasker_operator;
