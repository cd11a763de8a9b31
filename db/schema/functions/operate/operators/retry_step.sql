create or replace function tasker.retry_step(p_step_uuid uuid, p_reason text default null, p_actor text default null)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
  set lock_timeout = '5s'
as $$
begin
  perform tasker.check_bound(p_step_uuid);
  perform tasker.check_given_name('actor', p_actor, 200);
  return tasker.operate_on_step(
    p_step_uuid, 'Retry', jsonb_strip_nulls(jsonb_build_object('reason', p_reason)), p_actor
  );
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_step_uuid);
end;
$$;

comment on function tasker.retry_step is
$$Runs a step again that has failed for good, with its attempts restored. If the step waits for its next attempt, runs
it at once. Returns true if this call changed the step, and false if the step is going to run anyway. The kept results
of the step's durable function stay. Only if the last kept result is an error, it is deleted and the call is made again.

p_reason and p_actor go into the log. Without p_actor, the log has the caller's role. Locks the task, then the step.
Raises TK404 if there is no such step. Raises TK409 if the step is settled, if its result is being processed, or if its
task has ended. Raises TK413 if the reason is too large, and TK403 if the caller is bound to other namespaces. Raises
TK409 if another session keeps the task locked for 5 seconds.$$;

grant execute on function tasker.retry_step to tasker_orchestrator, tasker_operator;
