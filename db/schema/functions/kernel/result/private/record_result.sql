create or replace function tasker.record_result(p_result tasker.step_results, p_settings tasker.settings_now)
  returns tasker.step_answers
  language plpgsql
as $$
declare
  v_failed  boolean := p_result.error is not null;
  v_refusal text    := case
    when not v_failed and (octet_length(p_result.result::text) > p_settings.result_bytes or tasker.is_too_deep(p_result.result)) then 'too_large'
  end;
  v_task    tasker.task_facts;
  v_step    record;
  v_move    tasker.step_moves;
  v_answer  tasker.step_answers;
begin
  v_move.task_uuid := tasker.task_uuid_of(p_result.step_uuid);
  v_move.step_no := tasker.step_no_of(p_result.step_uuid);
  v_task := tasker.lock_task_facts(v_move.task_uuid);

  if v_task.task_uuid is not null and v_refusal is null then
    if v_failed then
      v_move.from_state := 'in_progress';
      v_move.held_claim_no := p_result.claim_no;
      v_move.first_event := 'EnqueueForOrchestration';
      -- These columns do not change while the step is under its claim.
      select s.retryable, s.attempts, s.max_attempts, s.backoff_base_seconds, s.backoff_multiplier, s.max_backoff_seconds,
             s.last_attempted_at
        into v_step
        from tasker.workflow_steps as s
       where s.task_uuid = v_move.task_uuid
         and s.step_no = v_move.step_no;
      v_move.via_state := 'enqueued_as_error_for_orchestration';
      v_move.to_state := tasker.result_state(
        true, coalesce(p_result.permanent, false), v_step.retryable, v_step.attempts, v_step.max_attempts
      );
      v_move.event := case v_move.to_state when 'error' then 'Fail' else 'WaitForRetry' end;
      v_move.execution_time_ms := tasker.execution_ms(p_result.execution_time_ms, v_step.last_attempted_at, tasker.write_clock());
      v_move.error := p_result.error;
      v_move.backoff_seconds := p_result.backoff_seconds;
      v_move.metadata := tasker.failure_metadata(p_result.error, p_result.backoff_seconds, p_result.permanent);
      if v_move.to_state = 'waiting_for_retry' then
        v_move.next_retry_at := tasker.retry_at(
          tasker.write_clock(), p_settings, v_step.attempts, p_result.backoff_seconds,
          v_step.backoff_base_seconds, v_step.backoff_multiplier, v_step.max_backoff_seconds
        );
      end if;
    else
      -- This is one expression, because each expression is prepared again in every transaction.
      v_move := tasker.step_move(
        p_task_uuid => v_move.task_uuid, p_step_no => v_move.step_no, p_from_state => 'in_progress', p_to_state => 'complete',
        p_first_event => 'EnqueueForOrchestration', p_via_state => 'enqueued_for_orchestration', p_event => 'Complete',
        p_held_claim_no => p_result.claim_no, p_execution_time_ms => p_result.execution_time_ms, p_result => p_result.result
      );
    end if;
    v_move := tasker.apply_move(v_move, v_task);
    if v_move.task_uuid is not null then
      return (
        p_result.step_uuid, p_result.claim_no, tasker.recorded_answer(v_move.to_state), v_move.next_retry_at
      )::tasker.step_answers;
    end if;
  end if;

  select s.state, s.claim_no, s.next_retry_at
    into v_step
    from tasker.workflow_steps as s
   where s.task_uuid = tasker.task_uuid_of(p_result.step_uuid)
     and s.step_no = tasker.step_no_of(p_result.step_uuid);
  v_answer.step_uuid := p_result.step_uuid;
  v_answer.claim_no := p_result.claim_no;
  v_answer.answer := tasker.result_answer(v_step.state, v_step.claim_no, p_result.claim_no, v_failed, v_refusal);
  if v_failed and v_step.claim_no = p_result.claim_no then
    v_answer.next_retry_at := v_step.next_retry_at;
  end if;
  return v_answer;
end;
$$;

comment on function tasker.record_result is
$$Records one result by its key and returns the answer. tasker.record_results does the same for many results. Waits for the task's lock.$$;
