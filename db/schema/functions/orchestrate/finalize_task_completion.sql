create or replace function tasker.finalize_task_completion(p_task_uuid uuid, p_processor_uuid uuid default null)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_task tasker.tasks;
begin
  perform tasker.check_isolation();
  v_task := tasker.lock_task(p_task_uuid);
  if v_task.complete
     or v_task.open_steps > 0
     or v_task.failed_steps > 0
     or v_task.finalization_claimed_until > tasker.clock()
        and v_task.finalization_claimed_by is distinct from p_processor_uuid then
    return false;
  end if;

  perform tasker.advance_tasks(array[p_task_uuid]);
  return tasker.get_current_task_state(p_task_uuid) = 'complete';
end;
$$;

comment on function tasker.finalize_task_completion(uuid, uuid) is
$$Completes a task whose steps are all done. True if this call did it; false if it is not that far, has ended, or another processor holds a claim for its finalisation: the second of two callers is no error.

Locks the task, then steps that become ready. Raises TK404 if there is no such task, TK409 above READ COMMITTED.$$;

revoke all on function tasker.finalize_task_completion(uuid, uuid) from public;
grant execute on function tasker.finalize_task_completion(uuid, uuid) to tasker_orchestrator, tasker_operator;
