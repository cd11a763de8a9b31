create or replace function tasker.pause_template(
  p_namespace  text,
  p_name       text,
  p_until      timestamptz  default null,
  p_shared     boolean      default null,
  p_actor      text         default null,
  p_reason     text         default null
)
  returns text[]
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_handlers tasker.named_steps[];
  v_others   text;
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.administer(p_actor, p_reason);
  perform tasker.check_namespace_exists(p_namespace);
  perform tasker.check_instant('end of the pause', p_until);
  if not exists (select from tasker.creation_plans as p where p.namespace = p_namespace and p.name = p_name) then
    perform tasker.raise_template_not_found(p_namespace, p_name, null);
  end if;
  if p_until <= tasker.clock() then
    raise exception using
      errcode = 'TK422',
      message = format('the pause would end at %s, which has passed', p_until),
      hint    = 'Name a time to come, or none.';
  end if;
  v_handlers := array(select h from tasker.handlers_of_template(p_namespace, p_name) as h);
  if v_handlers = '{}' then
    raise exception using
      errcode = 'TK422',
      message = format('template "%s" of namespace "%s" has no handler that could be paused', p_name, p_namespace),
      hint    = 'A pause of the namespace stops it: tasker.pause_namespace().';
  end if;
  select string_agg(distinct format('%s (%s)', o.name, h.name), ', ')
    into v_others
    from unnest(v_handlers) as h
   cross join (select distinct p.name from tasker.creation_plans as p where p.namespace = p_namespace and p.name <> p_name) as o
   where exists (select from tasker.handlers_of_template(p_namespace, o.name) as x where x.named_step_uuid = h.named_step_uuid);
  if v_others is not null and p_shared is not true then
    raise exception using
      errcode = 'TK409',
      message = format('template "%s" of namespace "%s" shares handlers with other templates, whose steps would stand still, too', p_name, p_namespace),
      detail  = left(v_others, 1000),
      hint    = 'Pass p_shared => true to pause these handlers for all templates of the namespace, or pause single handlers with tasker.pause_handler().';
  end if;

  -- A handler that was paused with tasker.pause_handler keeps that pause, which stays when the pause of the template
  -- ends.
  insert into tasker.handler_pauses as p (namespace, named_step_uuid, handler, until, reason, paused_by, paused_login, paused_role, template)
  select
    p_namespace, h.named_step_uuid, h.name, p_until, p_reason, tasker.actor_name(p_actor), session_user, tasker.set_role(), p_name
  from unnest(v_handlers) as h
  order by h.named_step_uuid
  on conflict (namespace, named_step_uuid) do update
     set until        = excluded.until,
         reason       = excluded.reason,
         paused_by    = excluded.paused_by,
         paused_login = excluded.paused_login,
         paused_role  = excluded.paused_role
   where p.template = excluded.template
     and (p.until, p.reason, p.paused_by) is distinct from (excluded.until, excluded.reason, excluded.paused_by);
  return array(
    select p.handler from tasker.handler_pauses as p where p.namespace = p_namespace and p.template = p_name order by p.handler
  );
end;
$$;

comment on function tasker.pause_template is
$$Stops claims of the steps of a template: pauses each handler of its steps and compensations, of all versions, in its namespace. Returns the handlers that are paused for the template. Running steps finish, and tasks of the template can still be created. A handler that was already paused with tasker.pause_handler keeps that pause.

The pause lasts until tasker.resume_template ends it. A pause whose p_until has passed is an incident. Handlers of versions that are registered later are not paused. Idempotent. A null p_actor means the caller's role. Locks the pauses' rows, then the row of tasker.settings_now. Raises TK404 if there is no such namespace or template, TK409 if other templates of the namespace use one of the handlers and p_shared is not true, TK422 if p_until has passed or the template has no handler, TK413 if the actor's name or the reason is too long, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.pause_template to tasker_orchestrator, tasker_operator;
