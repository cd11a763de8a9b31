create or replace function tasker.reset_locked_task(p_task tasker.tasks, p_reason text, p_actor text)
  returns boolean
  language plpgsql
as $$
declare
  v_facts tasker.task_facts;
begin
  if p_task.undo ? 'phase' then
    return false;
  elsif p_task.state = 'error' and p_task.failed_steps = 0 and p_task.has_added_edges and tasker.fails_at_end(p_task.task_uuid) then
    return false; -- another step waited for each failure, so the task would fail again at once
  elsif p_task.state = 'error' then
    perform tasker.move_task(
      p_task, 'Reset', 'pending', null, jsonb_strip_nulls(jsonb_build_object('reason', p_reason)), p_actor
    );
  elsif p_task.failed_steps > 0 then
    v_facts := tasker.sweep_steps(tasker.lock_task_facts(p_task.task_uuid), 'reset', p_reason, p_actor);
    perform tasker.count_task(v_facts);
  else
    return false;
  end if;
  return true;
end;
$$;

comment on function tasker.reset_locked_task is
$$Restores the attempts of the failed steps of a failed or open task. Returns false if the task has no failed steps, if it is being undone or was undone, or if other steps waited for all of its failures. The caller holds the task's lock, has checked that the task is failed or open, and evaluates the task afterwards (tasker.advance_tasks).$$;
