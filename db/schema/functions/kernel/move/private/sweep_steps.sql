create or replace function tasker.sweep_steps(p_task tasker.task_facts, p_sweep text, p_reason text, p_actor text)
  returns tasker.task_facts
  language plpgsql
as $$
declare
  v_moves tasker.step_moves[] := tasker.sweep_moves(p_task.task_uuid, p_sweep, p_reason, p_actor);
begin
  if cardinality(v_moves) = 0 then
    return p_task;
  end if;

  if exists (select from unnest(v_moves) as m where m.from_state = 'in_progress') then
    perform tasker.notify_cancelled(
      p_task.namespace, p_task.task_uuid, array(select m.step_no from unnest(v_moves) as m where m.from_state = 'in_progress')
    );
  end if;
  v_moves := tasker.write_moves(v_moves, p_task.namespace);
  perform tasker.count_children(v_moves, case when not p_task.has_added_edges then p_task.named_task_uuid end);
  return tasker.counted(p_task, v_moves);
end;
$$;

comment on function tasker.sweep_steps is
$$Applies tasker.sweep_moves ("cancel", "fail" or "reset") to all steps of a task. Only the counters of their children change. Notifies the workers of running steps. Returns the task's facts with the new counters, which the caller writes.

The number of statements does not depend on the number of steps. Locks the steps. The caller holds the task's lock.$$;
