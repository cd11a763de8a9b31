create or replace function tasker.blocking_reason(
  p_state                   tasker.step_state,
  p_dependencies_satisfied  boolean,
  p_retry_eligible          boolean,
  p_next_retry_at           timestamptz,
  p_task_reason             text
)
  returns text
  language sql
  stable
  parallel safe
begin atomic
  select case
    when p_state = 'error' then 'retry_not_eligible'
    when p_state not in ('pending', 'waiting_for_retry') then 'invalid_state'
    when p_task_reason = 'task_ended' then p_task_reason
    when not p_dependencies_satisfied then 'dependencies_not_satisfied'
    when not p_retry_eligible then 'retry_not_eligible'
    when p_state = 'waiting_for_retry' and not coalesce(p_next_retry_at <= tasker.clock(), false)
      or p_next_retry_at > tasker.clock() then 'backoff_not_expired'
    else p_task_reason
  end;
end;

comment on function tasker.blocking_reason is
$$Returns why a step may not run now, or null if it may run. The rule of readiness is only in this function. A reason of
the step itself takes precedence over a reason of its task or namespace.$$;
