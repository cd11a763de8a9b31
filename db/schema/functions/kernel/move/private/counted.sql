create or replace function tasker.counted(p_task tasker.task_facts, p_moves tasker.step_moves[])
  returns tasker.task_facts
  language plpgsql
as $$
begin
  select
    p_task.open_steps + sum(tasker.step_is_open(m.to_state) - tasker.step_is_open(m.from_state)),
    p_task.active_steps + sum(tasker.step_is_active(m.to_state) - tasker.step_is_active(m.from_state)),
    p_task.retrying_steps + count(*) filter (where m.to_state = 'waiting_for_retry')
      - count(*) filter (where m.from_state = 'waiting_for_retry'),
    p_task.suspended_steps + count(*) filter (where m.to_state = 'suspended') - count(*) filter (where m.from_state = 'suspended'),
    p_task.failed_steps + count(*) filter (where m.to_state = 'error') - count(*) filter (where m.from_state = 'error')
    into p_task.open_steps, p_task.active_steps, p_task.retrying_steps, p_task.suspended_steps, p_task.failed_steps
    from unnest(p_moves) as m;
  return p_task;
end;
$$;

comment on function tasker.counted is
$$Returns a task's facts with its counters after these moves of its steps. There must be at least one move.$$;
