create or replace function tasker.result_moves(
  p_results   tasker.step_results[],
  p_refusals  text[],
  p_failed    boolean,
  p_settings  tasker.settings_now
)
  returns tasker.step_moves[]
  language plpgsql
as $$
declare
  v_now timestamptz := tasker.write_clock();
begin
  -- In this case no step has to be read.
  if not p_failed and p_refusals is null then
    return array(
      select tasker.step_move(
        p_position => r.ordinality, p_task_uuid => tasker.task_uuid_of(r.step_uuid),
        p_step_no => tasker.step_no_of(r.step_uuid), p_from_state => 'in_progress',
        p_first_event => 'EnqueueForOrchestration', p_via_state => 'enqueued_for_orchestration', p_event => 'Complete',
        p_to_state => 'complete', p_held_claim_no => r.claim_no, p_execution_time_ms => r.execution_time_ms,
        p_result => r.result
      )
        from unnest(p_results) with ordinality as r
       order by r.step_uuid
    );
  end if;

  return array(
    select tasker.step_move(
      p_position => r.position, p_task_uuid => r.task_uuid, p_step_no => r.step_no, p_from_state => 'in_progress',
      p_first_event => 'EnqueueForOrchestration',
      p_via_state => case when r.error is null
          then 'enqueued_for_orchestration'::tasker.step_state
          else 'enqueued_as_error_for_orchestration'::tasker.step_state
        end,
      p_event => case r.to_state when 'complete' then 'Complete' when 'error' then 'Fail' else 'WaitForRetry' end,
      p_to_state => r.to_state, p_held_claim_no => r.claim_no,
      p_next_retry_at => case when r.to_state = 'waiting_for_retry' then tasker.retry_at(
          v_now, p_settings, r.attempts, r.backoff_seconds, r.backoff_base_seconds, r.backoff_multiplier, r.max_backoff_seconds
        ) end,
      p_execution_time_ms => tasker.execution_ms(r.execution_time_ms, r.last_attempted_at, v_now),
      p_backoff_seconds => case when r.error is not null then r.backoff_seconds end, p_error => r.error,
      p_result => case when r.error is null then r.result end,
      p_metadata => tasker.failure_metadata(r.error, r.backoff_seconds, r.permanent)
    )
      from (
        select
          u.*, tasker.task_uuid_of(u.step_uuid) as task_uuid, tasker.step_no_of(u.step_uuid) as step_no,
          s.*,
          tasker.result_state(u.error is not null, coalesce(u.permanent, false), s.retryable, s.attempts, s.max_attempts) as to_state
        from unnest(p_results, p_refusals) with ordinality as u (
          step_uuid, claim_no, result, error, permanent, backoff_seconds, execution_time_ms, refusal, position
        )
        -- These columns do not change while the step is under its claim.
        left join lateral (
          select s.retryable, s.attempts, s.max_attempts, s.backoff_base_seconds, s.backoff_multiplier, s.max_backoff_seconds,
                 s.last_attempted_at
            from tasker.workflow_steps as s
           where (u.error is not null or coalesce(u.execution_time_ms, 0) = 0)
             and s.task_uuid = tasker.task_uuid_of(u.step_uuid)
             and s.step_no = tasker.step_no_of(u.step_uuid)
          offset 0
        ) as s
          on true
        where u.refusal is null
      ) as r
     order by r.step_uuid
  );
end;
$$;

comment on function tasker.result_moves is
$$Returns the moves that follow from results, in the order of their steps. Each move passes through the state that records the result for an orchestrator. A refused result has no move. p_refusals is null if no result is refused. p_failed says whether a result has an error.$$;
