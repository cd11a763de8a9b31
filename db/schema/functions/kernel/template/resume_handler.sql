create or replace function tasker.resume_handler(
  p_namespace  text,
  p_handler    text,
  p_actor      text  default null,
  p_reason     text  default null
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.administer(p_actor, p_reason);
  perform tasker.check_namespace_exists(p_namespace);
  delete from tasker.handler_pauses as p
   where p.namespace = p_namespace
     and p.named_step_uuid = (tasker.find_handler(p_handler)).named_step_uuid;
  if not found then
    return false;
  end if;

  perform tasker.notify_steps_ready(p_namespace);
  return true;
end;
$$;

comment on function tasker.resume_handler is
$$Allows claims of a paused handler's steps in a namespace again, and wakes its workers. Returns true if this call resumed the handler, false if the handler was not paused.

Locks the pause's row, then the row of tasker.settings_now. Raises TK404 if there is no such namespace or handler, TK413 if the actor's name or the reason is too long, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.resume_handler to tasker_orchestrator, tasker_operator;
