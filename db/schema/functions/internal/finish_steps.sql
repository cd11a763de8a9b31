create or replace function tasker.finish_steps(
  p_task_uuids          uuid[],
  p_step_nos            integer[],
  p_claim_nos           integer[],
  p_results             jsonb[],
  p_errors              text[],
  p_permanent           boolean[],
  p_backoff_seconds     integer[],
  p_execution_times_ms  bigint[],
  p_deferred            boolean[]
)
  returns tasker.step_answers[]
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_now      timestamptz := tasker.clock();
  v_answers  tasker.step_answers[];
  v_moves    tasker.workflow_step_transition_log[];
  v_recorded tasker.workflow_step_transition_log[];
begin
  -- Compare and swap: a step that is not in progress under this claim is not touched. In the order of the
  -- keys, since two workers may record results of the same steps.
  with finished as (
    update tasker.workflow_steps as s
       set state            = case
             when u.deferred and u.error is null then 'enqueued_for_orchestration'
             when u.deferred then 'enqueued_as_error_for_orchestration'
             when u.error is null then 'complete'
             when u.permanent or not s.retryable or s.attempts >= s.max_attempts then 'error'
             else 'waiting_for_retry'
           end::tasker.step_state,
           next_retry_at    = case
             when u.error is not null
                  and not (u.deferred or u.permanent or not s.retryable or s.attempts >= s.max_attempts)
             then tasker.next_attempt_at(
               s.attempts, u.backoff_seconds, s.backoff_base_seconds, s.backoff_multiplier, s.max_backoff_seconds
             )
           end,
           transition_count = s.transition_count + case when u.deferred then 1 else 2 end,
           lease_until      = null,
           processed_at     = case when u.error is null and not u.deferred then v_now end,
           results          = case when u.error is null then u.result else s.results end,
           last_error       = coalesce(u.error, s.last_error),
           last_failure_at  = case when u.error is not null then v_now else s.last_failure_at end,
           backoff_request_seconds = case when u.error is not null then u.backoff_seconds end
      from (
        select
          u.position, u.task_uuid, u.step_no, u.claim_no, u.result, u.error,
          coalesce(u.permanent, false) as permanent, u.backoff_seconds, u.execution_time_ms, u.deferred
          from unnest(
            p_task_uuids, p_step_nos, p_claim_nos, p_results, p_errors, p_permanent, p_backoff_seconds,
            p_execution_times_ms, p_deferred
          ) with ordinality as u (
            task_uuid, step_no, claim_no, result, error, permanent, backoff_seconds, execution_time_ms, deferred, position
          )
         order by u.task_uuid, u.step_no
      ) as u
     where s.task_uuid = any (array[u.task_uuid])
       and s.step_no = u.step_no
       and s.state = 'in_progress'
       and s.claim_no = u.claim_no
    returning
      s.task_uuid, s.step_no, s.transition_count, s.claim_no, s.worker_uuid, s.state, s.next_retry_at,
      u.position, u.error, u.permanent, u.backoff_seconds, u.execution_time_ms, u.deferred
  ),
  timed as (
    insert into tasker.timers (task_uuid, step_no, kind, due_at)
    select f.task_uuid, f.step_no, 'retry_step', f.next_retry_at
      from finished as f
     where f.state = 'waiting_for_retry'
  )
  select
    array_agg(l.answer order by l.position) filter (where l.first),
    array_agg(l.move) filter (where not l.deferred),
    array_agg(l.move) filter (where l.deferred)
    into v_answers, v_moves, v_recorded
    from (
      select
        f.position,
        m.position = 1 as first,
        f.deferred,
        case when m.position = 1 then (
          tasker.step_uuid(f.task_uuid, f.step_no), f.claim_no,
          case f.state when 'complete' then 'completed' when 'error' then 'failed' when 'waiting_for_retry' then 'retrying'
            else 'recorded'
          end,
          f.next_retry_at
        )::tasker.step_answers end as answer,
        (
          f.task_uuid, f.step_no, f.transition_count - (m.position = 1 and not f.deferred)::integer,
          m.event, m.from_state, m.to_state, f.claim_no, m.execution_time_ms, m.worker_uuid, null, null, m.metadata, v_now
        )::tasker.workflow_step_transition_log as move
      from (
        select
          f.*,
          case when f.error is null
            then 'enqueued_for_orchestration'::tasker.step_state
            else 'enqueued_as_error_for_orchestration'::tasker.step_state
          end as recorded_state
        from finished as f
      ) as f
      cross join lateral (
        values (
          1, 'EnqueueForOrchestration', 'in_progress'::tasker.step_state, f.recorded_state, f.execution_time_ms,
          f.worker_uuid,
          case when f.error is not null then jsonb_strip_nulls(jsonb_build_object(
            'error', f.error, 'backoff_seconds', f.backoff_seconds, 'permanent', nullif(f.permanent, false)
          )) end
        ), (
          2,
          case f.state when 'complete' then 'Complete' when 'error' then 'Fail' else 'WaitForRetry' end,
          f.recorded_state, f.state, null, null, null
        )
      ) as m (position, event, from_state, to_state, execution_time_ms, worker_uuid, metadata)
      where m.position = 1
         or not f.deferred
    ) as l;

  if v_recorded is not null then
    perform tasker.defer_results(v_recorded);
  end if;
  if v_moves is not null then
    perform tasker.process_moves(v_moves);
  end if;
  return coalesce(v_answers, '{}');
end;
$$;

comment on function tasker.finish_steps(uuid[], integer[], integer[], jsonb[], text[], boolean[], integer[], bigint[], boolean[]) is
$$Carries out results, each if its step is in progress under its claim: the step's row, its timer, and all that follows; or, where they are deferred, records them for an orchestrator. A result with an error is a failure: the step waits for a retry, or has failed for good. An answer for each that was carried out, in order.

The caller holds the tasks' locks, except of those whose results are deferred. Locks the steps in the order of their keys.$$;

revoke all on function tasker.finish_steps(uuid[], integer[], integer[], jsonb[], text[], boolean[], integer[], bigint[], boolean[]) from public;
