create or replace function tasker.resolve_step_manually(
  p_step_uuid  uuid,
  p_reason     text  default null,
  p_actor      text  default null
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return tasker.operate_on_step(
    p_step_uuid, 'ResolveManually', jsonb_strip_nulls(jsonb_build_object('reason', p_reason)), p_actor
  );
end;
$$;

comment on function tasker.resolve_step_manually(uuid, text, text) is
$$Settles a step without results: what it was to do has been done elsewhere, and its children may run. True if this call did it, false if it was resolved before. A worker that still runs it is told already_complete.

p_reason and p_actor (null: the caller's role) go into the log. Locks the task, then the step. Raises TK404 if there is no such step, TK409 if it is complete or cancelled or its task has ended, TK413 if the reason is too large.$$;

revoke all on function tasker.resolve_step_manually(uuid, text, text) from public;
grant execute on function tasker.resolve_step_manually(uuid, text, text) to tasker_orchestrator, tasker_operator;
