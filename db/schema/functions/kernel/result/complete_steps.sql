create or replace function tasker.complete_steps(
  p_step_uuids          uuid[],
  p_claim_nos           integer[],
  p_results             jsonb[]   default null,
  p_execution_times_ms  bigint[]  default null
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
  perform tasker.check_isolation();
  v_results := tasker.step_results(p_step_uuids, p_claim_nos, p_results, null, null, null, p_execution_times_ms);
  select c.* into v_settings from tasker.settings_now as c;
  if v_settings.any_bound or tasker.is_scoped() then
    perform tasker.check_bound_steps(p_step_uuids);
  end if;
  if cardinality(v_results) > 0 then
    return query select a.* from unnest(tasker.record(v_results, v_settings)) as a;
  end if;
end;
$$;

comment on function tasker.complete_steps is
$$Records results of claimed steps and advances their tasks: enqueues or skips child steps, and ends tasks that are done. Returns one answer for each step, in order: "completed", "recorded" (an orchestrator will process the result), "already_complete", "stale" (the step has a newer claim), "cancelled", "too_large", "not_found" or "busy". The answer "too_large" means that the result is over the setting "result_bytes" or nested deeper than 1,000 levels. The step then stays claimed, and the worker should fail it. The answer "busy" means that another transaction has held the task for more than two seconds: send the result again.

Idempotent: a result with an older claim number changes nothing. Each of the other arrays is null or has an element for each step. If the execution time is null or 0, the time since the claim is recorded. Locks the tasks in the order of their UUIDs, then the steps, then their queue rows. Raises TK422 if the arrays do not match, TK413 for more than 10,000 steps, TK403 if the role is bound to other namespaces, TK409 above READ COMMITTED.$$;

grant execute on function tasker.complete_steps
  to tasker_worker, tasker_orchestrator, tasker_operator;
