create or replace function tasker.finalize_task_completion(p_task_uuid uuid, p_processor_uuid uuid default null)
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
declare
  v_task tasker.tasks;
begin
  perform tasker.check_bound(p_task_uuid);
  perform tasker.check_isolation();
  v_task := tasker.lock_task(p_task_uuid);
  if v_task.complete
     or v_task.open_steps > 0
     or v_task.failed_steps > 0
     or tasker.is_finalized_by_another(v_task, p_processor_uuid) then
    return false;
  end if;

  perform tasker.advance_tasks(array[p_task_uuid], p_processor_uuid);
  return tasker.get_current_task_state(p_task_uuid) = 'complete';
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_task_uuid);
end;
$$;

comment on function tasker.finalize_task_completion is
$$Completes a task whose steps are all done. Returns true if this call completed the task. Returns false if a step is not done, if the task has ended, or if another processor has claimed its finalisation.

Idempotent. Locks the task, then steps that become ready. Raises TK404 if the task does not exist, TK409 above READ COMMITTED, TK403 if the caller is bound to other namespaces, TK409 if another session keeps the task locked for 5 seconds.$$;

grant execute on function tasker.finalize_task_completion to tasker_orchestrator, tasker_operator;
