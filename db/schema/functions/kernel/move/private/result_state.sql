create or replace function tasker.result_state(
  p_failed        boolean,
  p_permanent     boolean,
  p_retryable     boolean,
  p_attempts      integer,
  p_max_attempts  integer
)
  returns tasker.step_state
  language sql
  immutable
  parallel safe
begin atomic
  select case
    when not p_failed then 'complete'::tasker.step_state
    when p_permanent or not p_retryable or p_attempts >= p_max_attempts then 'error'::tasker.step_state
    else 'waiting_for_retry'::tasker.step_state
  end;
end;

comment on function tasker.result_state is
$$Returns the state of a step after a result: "complete", "error" (failed for good) or "waiting_for_retry".$$;
