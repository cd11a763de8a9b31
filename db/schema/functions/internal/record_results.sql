create or replace function tasker.record_results(
  p_step_uuids          uuid[],
  p_claim_nos           integer[],
  p_results             jsonb[],
  p_errors              text[],
  p_permanent           boolean[],
  p_backoff_seconds     integer[],
  p_execution_times_ms  bigint[]
)
  returns tasker.step_answers[]
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set lock_timeout = '2s'
as $$
begin
  perform tasker.check_isolation();
  perform tasker.check_step_claims(p_step_uuids, p_claim_nos);
  perform tasker.check_step_results(
    coalesce(cardinality(p_step_uuids), 0), p_results, p_errors, p_permanent, p_backoff_seconds, p_execution_times_ms
  );
  perform tasker.check_bound_steps(p_step_uuids);
  if coalesce(cardinality(p_step_uuids), 0) = 0 then
    return '{}';
  end if;

  return tasker.apply_results(
    p_step_uuids, p_claim_nos, p_results, p_errors, p_permanent, p_backoff_seconds, p_execution_times_ms, true
  );
exception
  -- Somebody holds one of the tasks and thinks: the others must not wait for that.
  when lock_not_available then
    return tasker.apply_results(
      p_step_uuids, p_claim_nos, p_results, p_errors, p_permanent, p_backoff_seconds, p_execution_times_ms, false
    );
end;
$$;

comment on function tasker.record_results(uuid[], integer[], jsonb[], text[], boolean[], integer[], bigint[]) is
$$Checks the arguments of a batch of results and applies it. Waits at most two seconds for a lock; then it answers busy for what it cannot lock and applies the rest.

A result is a failure if it has an error.$$;

revoke all on function tasker.record_results(uuid[], integer[], jsonb[], text[], boolean[], integer[], bigint[]) from public;
