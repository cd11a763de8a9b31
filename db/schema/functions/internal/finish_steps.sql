create or replace function tasker.finish_steps(
  p_task_uuids          uuid[],
  p_step_nos            integer[],
  p_claim_nos           integer[],
  p_answers             text[],
  p_retry_ats           timestamptz[],
  p_results             jsonb[],
  p_errors              text[],
  p_permanent           boolean[],
  p_backoff_seconds     integer[],
  p_execution_times_ms  bigint[]
)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
as $$
declare
  v_now      timestamptz := tasker.clock();
  v_moves    tasker.workflow_step_transition_log[];
  v_recorded tasker.workflow_step_transition_log[];
begin
  with answered as (
    select
      u.*,
      case
        when u.error is null then 'enqueued_for_orchestration'
        else 'enqueued_as_error_for_orchestration'
      end::tasker.step_state as recorded_state,
      case u.answer
        when 'completed' then 'complete'
        when 'retrying' then 'waiting_for_retry'
        when 'failed' then 'error'
      end::tasker.step_state as final_state
    from unnest(
      p_task_uuids, p_step_nos, p_claim_nos, p_answers, p_retry_ats,
      p_results, p_errors, p_permanent, p_backoff_seconds, p_execution_times_ms
    ) as u (
      task_uuid, step_no, claim_no, answer, retry_at, result, error, permanent, backoff_seconds, execution_time_ms
    )
    where u.answer in ('completed', 'retrying', 'failed', 'recorded')
  ),
  written as (
    update tasker.workflow_steps as s
       set state            = coalesce(u.final_state, u.recorded_state),
           transition_count = s.transition_count + 1 + (u.final_state is not null)::integer,
           lease_until      = null,
           next_retry_at    = case when u.answer = 'retrying' then u.retry_at end,
           processed_at     = case when u.answer = 'completed' then v_now end,
           results          = case when u.error is null then u.result else s.results end,
           last_error       = coalesce(u.error, s.last_error),
           last_failure_at  = case when u.error is not null then v_now else s.last_failure_at end,
           backoff_request_seconds = case when u.error is not null then u.backoff_seconds end
      from answered as u
     where s.task_uuid = u.task_uuid
       and s.step_no = u.step_no
       and s.state = 'in_progress'
       and s.claim_no = u.claim_no
    returning
      s.task_uuid, s.step_no, s.transition_count, s.claim_no, s.worker_uuid, s.next_retry_at,
      u.recorded_state, u.final_state, u.error, u.permanent, u.backoff_seconds, u.execution_time_ms
  ),
  timed as (
    insert into tasker.timers (task_uuid, step_no, kind, due_at)
    select w.task_uuid, w.step_no, 'retry_step', w.next_retry_at
      from written as w
     where w.final_state = 'waiting_for_retry'
  )
  select
    array_agg(l.move) filter (where l.final),
    array_agg(l.move) filter (where not l.final)
    into v_moves, v_recorded
    from (
      select
        (
          w.task_uuid, w.step_no, w.transition_count - (m.position = 1 and w.final_state is not null)::integer,
          m.event, m.from_state, m.to_state, w.claim_no, m.execution_time_ms, m.worker_uuid, null, null, m.metadata, v_now
        )::tasker.workflow_step_transition_log as move,
        w.final_state is not null as final
      from written as w
      cross join lateral (
        values (
          1, 'EnqueueForOrchestration', 'in_progress'::tasker.step_state, w.recorded_state, w.execution_time_ms,
          w.worker_uuid,
          case when w.error is not null then jsonb_strip_nulls(jsonb_build_object(
            'error', w.error, 'backoff_seconds', w.backoff_seconds, 'permanent', nullif(w.permanent, false)
          )) end
        ), (
          2,
          case w.final_state when 'complete' then 'Complete' when 'error' then 'Fail' else 'WaitForRetry' end,
          w.recorded_state, w.final_state, null, null, null
        )
      ) as m (position, event, from_state, to_state, execution_time_ms, worker_uuid, metadata)
      where m.to_state is not null
    ) as l;

  if v_recorded is not null then
    perform tasker.defer_results(v_recorded);
  end if;
  if v_moves is not null then
    perform tasker.process_moves(v_moves);
  end if;
end;
$$;

comment on function tasker.finish_steps(uuid[], integer[], integer[], text[], timestamptz[], jsonb[], text[], boolean[], integer[], bigint[]) is
$$Carries out the results whose answer is completed, retrying, failed or recorded, each for the claim that it belongs to: the steps' rows, timers, and all that follows.

The caller holds the steps' locks and, unless a result is only recorded, their tasks'.$$;

revoke all on function tasker.finish_steps(uuid[], integer[], integer[], text[], timestamptz[], jsonb[], text[], boolean[], integer[], bigint[]) from public;
