create or replace function tasker.resume_namespace(
  p_namespace  text,
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
  update tasker.task_namespaces as n
     set paused_at    = null,
         paused_by    = null,
         paused_login = null,
         paused_role  = null,
         updated_at   = tasker.clock()
   where n.name = p_namespace
     and n.paused_at is not null;
  if not found then
    return false;
  end if;

  perform tasker.notify_steps_ready(p_namespace);
  return true;
end;
$$;

comment on function tasker.resume_namespace is
$$Allows claims of a paused namespace's steps again, and wakes its workers. Returns true if this call resumed the namespace, false if the namespace was not paused.

Locks the namespace's row, then its rows of tasker.creation_plans. Raises TK404 if there is no such namespace, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.resume_namespace to tasker_orchestrator, tasker_operator;
