create or replace function tasker.pause_handler(
  p_namespace  text,
  p_handler    text,
  p_until      timestamptz  default null,
  p_actor      text         default null,
  p_reason     text         default null
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_handler tasker.named_steps;
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.administer(p_actor, p_reason);
  perform tasker.check_namespace_exists(p_namespace);
  perform tasker.check_instant('end of the pause', p_until);
  v_handler := tasker.find_handler(p_handler);
  if p_until <= tasker.clock() then
    raise exception using
      errcode = 'TK422',
      message = format('the pause would end at %s, which has passed', p_until),
      hint    = 'Name a time to come, or none.';
  end if;

  insert into tasker.handler_pauses as p (namespace, named_step_uuid, handler, until, reason, paused_by, paused_login, paused_role)
  values (
    p_namespace, v_handler.named_step_uuid, v_handler.name, p_until, p_reason, tasker.actor_name(p_actor), session_user, tasker.set_role()
  )
  on conflict (namespace, named_step_uuid) do update
     set until        = excluded.until,
         reason       = excluded.reason,
         paused_by    = excluded.paused_by,
         paused_login = excluded.paused_login,
         paused_role  = excluded.paused_role
   where (p.until, p.reason, p.paused_by) is distinct from (excluded.until, excluded.reason, excluded.paused_by);
  return found;
end;
$$;

comment on function tasker.pause_handler is
$$Stops claims of a handler's steps in a namespace. Running steps finish, and steps of other handlers are still claimed. Returns true if this call paused the handler or changed the end, the reason or the actor of its pause, false if the handler was already paused in the same way.

The pause lasts until tasker.resume_handler ends it. A pause whose p_until has passed is an incident. A null p_actor means the caller's role. The login role is also recorded. Locks the pause's row, then the row of tasker.settings_now. Raises TK404 if there is no such namespace or handler, TK422 if p_until has passed, TK413 if the actor's name or the reason is too long, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.pause_handler to tasker_orchestrator, tasker_operator;
