create or replace function tasker.exchange_steps(
  p_worker_uuid         uuid,
  p_step_uuids          uuid[]     default null,
  p_claim_nos           integer[]  default null,
  p_results             jsonb[]    default null,
  p_errors              text[]     default null,
  p_permanent           boolean[]  default null,
  p_backoff_seconds     double precision[]  default null,
  p_execution_times_ms  bigint[]   default null,
  p_namespaces          text[]     default null,
  p_limit               integer    default 0,
  p_lease_seconds       integer    default null,
  p_handlers            text[]     default null,
  p_request_uuid        uuid       default null,
  p_ahead               integer    default 0,
  p_waiting             uuid[]     default null
)
  returns setof tasker.step_exchanges
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
  v_answer   tasker.step_answers;
  v_moves    tasker.step_moves[];
  v_step     tasker.claimed_steps;
  v_row      tasker.step_exchanges;
  v_opens    boolean := false; -- whether the results may open something that the claim takes
  v_ok       text;             -- an assignment, unlike PERFORM, starts no executor
begin
  p_limit := coalesce(p_limit, 0);
  p_ahead := coalesce(p_ahead, 0);
  if (p_worker_uuid is not null and p_limit between 0 and 1000 and coalesce(p_lease_seconds, 1) between 1 and 86400
      and current_setting('transaction_isolation') = 'read committed' and not pg_is_in_recovery()) is not true then
    perform tasker.check_claim(p_worker_uuid, p_limit, p_lease_seconds);
  end if;
  if (p_ahead between 0 and p_limit and p_waiting is null) is not true then
    perform tasker.check_ahead(p_limit, p_ahead, p_waiting);
  end if;
  v_results := tasker.step_results(
    p_step_uuids, p_claim_nos, p_results, p_errors, p_permanent, p_backoff_seconds, p_execution_times_ms
  );
  select c.* into v_settings from tasker.settings_now as c;

  if cardinality(v_results) > 0 then
    if v_settings.any_bound or tasker.is_scoped() then
      perform tasker.check_bound_steps(p_step_uuids);
    end if;
    if p_limit > 0 and v_settings.limited_handlers is distinct from '{}' then
      v_opens := tasker.claim_opens(p_handlers, v_settings);
    end if;
    foreach v_answer in array tasker.record(v_results, v_settings) loop
      v_row.step_uuid := v_answer.step_uuid;
      v_row.claim_no := v_answer.claim_no;
      v_row.answer := v_answer.answer;
      v_row.next_retry_at := v_answer.next_retry_at;
      return next v_row;
    end loop;
  end if;

  if p_limit > 0 then
    v_moves := tasker.claim(p_namespaces, p_worker_uuid, p_limit, p_lease_seconds, p_handlers, p_request_uuid, p_ahead, p_waiting, v_settings);
    if cardinality(v_moves) = 1 then
      v_step := tasker.describe_claim(v_moves[1], v_settings);
      return next (
        v_step.step_uuid, v_step.claim_no, null, null,
        v_step.task_uuid, v_step.step_no, v_step.namespace, v_step.task_name, v_step.task_version, v_step.name, v_step.handler,
        v_step.attempt, v_step.max_attempts, v_step.lost_count, v_step.priority, v_step.lease_until, v_step.timeout_seconds,
        v_step.correlation_id, v_step.parent_correlation_id, v_step.headers, v_step.inputs, v_step.checkpoint, v_step.last_error, v_step.context, v_step.parent_results,
        v_step.kept
      )::tasker.step_exchanges;
    elsif cardinality(v_moves) > 1 then
      return query
      select
        c.step_uuid, c.claim_no, null::tasker.result_answer, null::timestamptz,
        c.task_uuid, c.step_no, c.namespace, c.task_name, c.task_version, c.name, c.handler,
        c.attempt, c.max_attempts, c.lost_count, c.priority, c.lease_until, c.timeout_seconds,
        c.correlation_id, c.parent_correlation_id, c.headers, c.inputs, c.checkpoint, c.last_error, c.context, c.parent_results,
        c.kept
      from tasker.describe_claims(v_moves, v_settings) as c;
    end if;
    if v_opens then
      v_ok := tasker.claim_closes();
    end if;
  elsif p_waiting is not null then
    perform tasker.note_waiting(p_worker_uuid, p_waiting);
  end if;
end;
$$;

comment on function tasker.exchange_steps is
$$Records results and claims new steps in one round trip and one transaction: it does the work of complete_steps for results without an error, of fail_steps for results with an error, then of claim_steps for at most p_limit steps. The last p_ahead of the p_limit steps are claimed ahead: the worker has no free handler for them yet. p_waiting names the steps of the worker's earlier claims that still wait for a handler. In a call without a claim, null keeps the steps that the worker named before. Returns a row with the answer to each result, in order, then a row without an answer for each claimed step.

If the worker is lost, the lost_count of a step does not rise if the step waited for a handler at the worker's newest exchange and its lease was not renewed since then. This applies at most three times in a row. Arguments, locks and errors are the same as for these three functions. Also raises TK422 if p_ahead is not between 0 and p_limit or p_waiting contains null, TK413 if p_waiting names more than 1000 steps. If a reply is lost, repeat the call with the same p_request_uuid: it answers the results again, changes nothing, and hands out the same steps.$$;

grant execute on function tasker.exchange_steps to tasker_worker, tasker_orchestrator, tasker_operator;
