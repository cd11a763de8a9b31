create or replace function tasker.advance_task(p_task_uuid uuid, p_processor_uuid uuid default null)
  returns tasker.task_state
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
  perform tasker.check_bound(p_task_uuid);
  perform tasker.check_isolation();
  perform tasker.lock_task(p_task_uuid);
  perform tasker.advance_tasks(array[p_task_uuid], p_processor_uuid);
  return (select t.state from tasker.tasks as t where t.task_uuid = p_task_uuid);
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_task_uuid);
end;
$$;

comment on function tasker.advance_task is
$$Starts a task, or advances it after direct calls: enqueues or skips its ready steps, then computes the state of the task. Returns the state of the task afterwards. tasker.orchestrate does this for every task that waits for an orchestrator.

p_processor_uuid names the processor in the log. Idempotent: tasks that have ended, have nothing to do or start later do not change. The cost is linear in the number of the task's steps. Locks the task, then the steps that become ready. Raises TK404 if there is no such task, TK409 above READ COMMITTED, TK403 if the caller is bound to other namespaces, TK409 if another session keeps the task locked for 5 seconds.$$;

grant execute on function tasker.advance_task to tasker_orchestrator, tasker_operator;
