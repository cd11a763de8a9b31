create or replace function tasker.pause_namespace(
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
     set paused_at    = tasker.clock(),
         paused_by    = tasker.actor_name(p_actor),
         paused_login = session_user,
         paused_role  = tasker.set_role(),
         updated_at   = tasker.clock()
   where n.name = p_namespace
     and n.paused_at is null;
  return found;
end;
$$;

comment on function tasker.pause_namespace is
$$Stops claims of a namespace's steps. Running steps finish, and their tasks continue as far as they can without a claim. Returns true if this call paused the namespace, false if the namespace was already paused.

A null p_actor means the caller's role. The login role is also recorded. Locks the namespace's row, then its rows of tasker.creation_plans. Raises TK404 if there is no such namespace, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.pause_namespace to tasker_orchestrator, tasker_operator;
