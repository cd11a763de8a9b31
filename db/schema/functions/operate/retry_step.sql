create or replace function tasker.retry_step(p_step_uuid uuid, p_reason text default null, p_actor text default null)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return tasker.operate_on_step(
    p_step_uuid, 'Retry', jsonb_strip_nulls(jsonb_build_object('reason', p_reason)), p_actor
  );
end;
$$;

comment on function tasker.retry_step(uuid, text, text) is
$$Runs a step again that has failed for good, with its attempts given back, or at once one that waits for its next attempt. True if this call did it, false if the step is to run anyway.

p_reason and p_actor (null: the caller's role) go into the log. Locks the task, then the step. Raises TK404 if there is no such step, TK409 if it is settled, its result is being processed or its task has ended, TK413 if the reason is too large.$$;

revoke all on function tasker.retry_step(uuid, text, text) from public;
grant execute on function tasker.retry_step(uuid, text, text) to tasker_orchestrator, tasker_operator;
