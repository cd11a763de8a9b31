create or replace function tasker.task_stays(p_outcome text, p_state tasker.task_state)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  select case p_outcome
    when 'running' then p_state = 'steps_in_process'
    when 'retrying' then p_state = 'waiting_for_retry'
    when 'blocked' then p_state = 'blocked_by_failures'
    when 'waiting' then p_state = 'waiting_for_dependencies'
    else false
  end;
end;

comment on function tasker.task_stays is
$$Returns true if a task in this state stays in it with this outcome. Then tasker.task_paths has no path. A test compares this function with that table.$$;
