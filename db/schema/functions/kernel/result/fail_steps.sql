create or replace function tasker.fail_steps(
  p_step_uuids          uuid[],
  p_claim_nos           integer[],
  p_errors              text[],
  p_permanent           boolean[]  default null,
  p_backoff_seconds     double precision[]  default null,
  p_execution_times_ms  bigint[]   default null
)
  returns setof tasker.step_answers
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_settings tasker.settings_now;
  v_results  tasker.step_results[];
begin
  if coalesce(cardinality(p_errors), 0) <> coalesce(cardinality(p_step_uuids), 0)
     or array_ndims(p_errors) > 1
     or array_position(p_errors, null) is not null then
    raise exception using
      errcode = 'TK422',
      message = 'a failure has no error',
      hint    = 'Pass for each step what went wrong.';
  end if;

  perform tasker.check_isolation();
  v_results := tasker.step_results(
    p_step_uuids, p_claim_nos, null, p_errors, p_permanent, p_backoff_seconds, p_execution_times_ms
  );
  select c.* into v_settings from tasker.settings_now as c;
  if v_settings.any_bound or tasker.is_scoped() then
    perform tasker.check_bound_steps(p_step_uuids);
  end if;
  if cardinality(v_results) > 0 then
    return query select a.* from unnest(tasker.record(v_results, v_settings)) as a;
  end if;
end;
$$;

comment on function tasker.fail_steps is
$$Records failures of claimed steps. A step is retried later: the answer is "retrying", with next_retry_at. If
p_permanent is true, the template does not retry the step or its attempts are used up, the step fails for good: the
answer is "failed", and its dependents are blocked. The other answers are the same as for complete_steps.

p_backoff_seconds sets the time until the next attempt. If it is null, the template's policy or the settings decide.
Idempotent: a failure with an older claim number changes nothing. Each of the other arrays is null or has an element for
each step. Locks and errors are the same as for complete_steps. Also raises TK422 if an error is null.$$;

grant execute on function tasker.fail_steps
  to tasker_worker, tasker_orchestrator, tasker_operator;
