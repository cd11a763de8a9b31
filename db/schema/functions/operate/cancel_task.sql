create or replace function tasker.cancel_task(p_task_uuid uuid, p_reason text default null, p_actor text default null)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return tasker.operate_on_task(p_task_uuid, 'Cancel', p_reason, p_actor);
end;
$$;

comment on function tasker.cancel_task(uuid, text, text) is
$$Calls a task off, for good: every open step is cancelled, running ones too; their results will be refused with "cancelled". True if this call did it, false if it was cancelled before.

p_reason and p_actor (null: the caller's role) go into the logs. Works whatever enforce_processor_ownership says. Locks the task, then its steps. Raises TK404 if there is no such task, TK409 if it has ended otherwise, TK413 if the reason is too large.$$;

revoke all on function tasker.cancel_task(uuid, text, text) from public;
grant execute on function tasker.cancel_task(uuid, text, text) to tasker_submitter, tasker_orchestrator, tasker_operator;
