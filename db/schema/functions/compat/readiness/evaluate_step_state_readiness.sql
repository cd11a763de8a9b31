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
  -- Unknown facts do not make a step ready. A first attempt needs no permission to retry.
  return tasker.blocking_reason(
      v_state, coalesce(p_dependencies_satisfied, false), coalesce(p_retry_eligible, false), p_next_retry_time, null
    ) is null
    and not coalesce(p_processed, true)
    and not coalesce(p_in_process, true)
    and (v_state = 'pending' or coalesce(p_retryable, false));
end;
$$;

comment on function tasker.evaluate_step_state_readiness is
$$Returns true if a step with these properties may run now: it is pending or its wait for a retry is over, its dependencies are satisfied, and it has attempts left.

The readiness functions use the same rule. Null counts against the step, except for the time, which a pending step does not need. Raises TK422 if there is no such state.$$;

grant execute on function tasker.evaluate_step_state_readiness
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
