create or replace function tasker.task_blocking_reason(
  p_complete      boolean,
  p_on_failure    text,
  p_failed_steps  integer,
  p_starts_at     timestamptz,
  p_paused_at     timestamptz
)
  returns text
  language sql
  stable
  parallel safe
begin atomic
  select case
    when p_complete then 'task_ended'
    when tasker.task_halts(p_on_failure, p_failed_steps) then 'task_halted'
    when p_starts_at > tasker.clock() then 'task_not_started'
    when p_paused_at is not null then 'namespace_paused'
  end;
end;

comment on function tasker.task_blocking_reason is
$$Returns why no step of a task may start now, or null if neither the task nor its namespace prevents a start.$$;
