create or replace function tasker.evaluate_step_state_readiness(
  p_current_state           text,
  p_processed               boolean,
  p_in_process              boolean,
  p_dependencies_satisfied  boolean,
  p_retry_eligible          boolean,
  p_retryable               boolean,
  p_next_retry_time         timestamptz
)
  returns boolean
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_state tasker.step_state := tasker.parse_step_state(p_current_state);
begin
  -- A null argument must not make a step ready. A pending step is ready even if it may not be retried.
  return tasker.blocking_reason(
      v_state, coalesce(p_dependencies_satisfied, false), coalesce(p_retry_eligible, false), p_next_retry_time, null
    ) is null
    and not coalesce(p_processed, true)
    and not coalesce(p_in_process, true)
    and (v_state = 'pending' or coalesce(p_retryable, false));
end;
$$;

comment on function tasker.evaluate_step_state_readiness is
$$Returns true if a step with these properties may run now. The step must be pending, or its wait for a retry must be over. Its dependencies must be satisfied, and it must have attempts left.

The readiness functions use the same rule. If an argument is null, the step is not ready, except that a pending step needs no p_next_retry_time and no p_retryable. Raises TK422 if there is no such state.$$;

grant execute on function tasker.evaluate_step_state_readiness
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
