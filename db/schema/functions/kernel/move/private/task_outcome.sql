create or replace function tasker.task_outcome(
  p_open_steps       integer,
  p_active_steps     integer,
  p_retrying_steps   integer,
  p_suspended_steps  integer,
  p_failed_steps     integer,
  p_enqueued         boolean,
  p_on_failure       text
)
  returns text
  language sql
  immutable
  parallel safe
begin atomic
  select case
    when p_on_failure = 'drain' and (p_active_steps = 0 or p_retrying_steps + p_suspended_steps > 0) then 'undo'
    when p_active_steps > 0 and p_enqueued then 'enqueued'
    when p_active_steps > 0 then 'running'
    when p_retrying_steps > 0 then 'retrying'
    -- A step that waits can still move, and a failed branch does not block it.
    when p_suspended_steps > 0 then 'waiting'
    when p_failed_steps > 0 then case when p_on_failure = 'fail' then 'failed' else 'blocked' end
    when p_open_steps > 0 then 'waiting'
    when p_on_failure = 'undo' then 'undo'
    else 'complete'
  end;
end;

comment on function tasker.task_outcome is
$$Returns the outcome of the evaluation of a task, from the task's counters. Every evaluation uses this function. p_enqueued is true if steps of the task have just been enqueued. With p_on_failure "drain" or "undo", the next part of the undo is due when no step moves. With p_on_failure "fail", a task that only an operator could move fails instead of being blocked. tasker.task_paths maps the outcome to transitions.$$;
