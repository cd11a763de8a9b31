create or replace function tasker.exchange_steps(
  p_worker_uuid         uuid,
  p_step_uuids          uuid[]     default null,
  p_claim_nos           integer[]  default null,
  p_results             jsonb[]    default null,
  p_errors              text[]     default null,
  p_permanent           boolean[]  default null,
  p_backoff_seconds     integer[]  default null,
  p_execution_times_ms  bigint[]   default null,
  p_namespaces          text[]     default null,
  p_limit               integer    default 0,
  p_lease_seconds       integer    default null,
  p_handlers            text[]     default null,
  p_request_uuid        uuid       default null
)
  returns setof tasker.step_exchanges
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.check_claim(p_worker_uuid, p_limit, p_lease_seconds);

  return query
  select
    r.step_uuid, r.claim_no, r.answer, r.next_retry_at,
    null::uuid, null::integer, null, null, null, null, null, null::integer, null::integer, null::integer, null::integer,
    null::timestamptz, null::integer, null::uuid, null::uuid, null::jsonb, null::jsonb, null::jsonb, null, null::jsonb, null::jsonb
  from unnest(tasker.record_results(
    p_step_uuids, p_claim_nos, p_results, p_errors, p_permanent, p_backoff_seconds, p_execution_times_ms
  )) as r;

  if p_limit > 0 then
    return query
    select
      c.step_uuid, c.claim_no, null, null::timestamptz,
      c.task_uuid, c.step_no, c.namespace, c.task_name, c.task_version, c.name, c.handler,
      c.attempt, c.max_attempts, c.lost_count, c.priority, c.lease_until, c.timeout_seconds,
      c.correlation_id, c.parent_correlation_id, c.headers, c.inputs, c.checkpoint, c.last_error, c.context, c.parent_results
    from tasker.claim_steps(p_namespaces, p_worker_uuid, p_limit, p_lease_seconds, p_handlers, p_request_uuid) as c;
  end if;
end;
$$;

comment on function tasker.exchange_steps(
  uuid, uuid[], integer[], jsonb[], text[], boolean[], integer[], bigint[], text[], integer, integer, text[], uuid
) is
$$Results in, new steps out, in one round trip and one transaction: complete_steps for those without an error, fail_steps for those with one, then claim_steps for at most p_limit. First a row with the answer to each result, in order, then a row without an answer for each step that was claimed.

Arguments, locks and errors as there. Repeated after a lost reply with the same p_request_uuid, results are answered again without harm and the same steps are handed out.$$;

revoke all on function tasker.exchange_steps(
  uuid, uuid[], integer[], jsonb[], text[], boolean[], integer[], bigint[], text[], integer, integer, text[], uuid
) from public;
grant execute on function tasker.exchange_steps(
  uuid, uuid[], integer[], jsonb[], text[], boolean[], integer[], bigint[], text[], integer, integer, text[], uuid
) to tasker_worker, tasker_orchestrator, tasker_operator;
