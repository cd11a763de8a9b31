create or replace function tasker.run_sql_attempt(p_slot tasker.sql_slots, p_settings tasker.settings_now, p_own text[])
  returns tasker.step_answers
  language plpgsql
as $$
declare
  v_begun   timestamptz := clock_timestamp();
  v_attempt tasker.sql_attempts;
  v_uuid    uuid;
  v_move    tasker.step_moves;
  v_answers tasker.step_answers[];
  v_answer  tasker.step_answers;
  v_result  jsonb;
  v_run     bigint;
  v_code    text;
  v_error   text;
begin
  select a.* into v_attempt from tasker.sql_attempts as a where a.slot_no = p_slot.slot_no;
  v_uuid := tasker.step_uuid(v_attempt.task_uuid, v_attempt.step_no);
  v_move.task_uuid := v_attempt.task_uuid;
  v_move.step_no := v_attempt.step_no;
  if tasker.sql_slot_is_lost(p_slot) then
    v_code := '08006';
    v_error := 'the call of its function left no record: its session, its transaction or the server ended';
  end if;
  v_run := nextval(format('tasker.sql_slot_%s', p_slot.slot_no)::regclass);

  if v_code is null and exists (
    select
      from tasker.workflow_steps as s
     where s.task_uuid = v_attempt.task_uuid
       and s.step_no = v_attempt.step_no
       and s.state = 'in_progress'
       and s.claim_no = v_attempt.claim_no
  ) then
    begin
      v_result := tasker.call_sql_step(tasker.describe_claim(v_move, p_settings), p_settings, p_own);
      v_answers := tasker.record(array[tasker.sql_result(v_uuid, v_attempt.claim_no, v_result, null, null, v_begun)], p_settings);
      v_answer := v_answers[1];
      if v_answer.answer <> 'completed' then
        raise exception using
          errcode = 'TK409',
          message = format('the result of its function was answered %s', v_answer.answer),
          hint    = 'What the function wrote is rolled back.';
      end if;
    exception
      when query_canceled then
        -- If the time-out has not passed, an operator has cancelled the call.
        if v_attempt.timeout_seconds is null or clock_timestamp() < v_begun + make_interval(secs => v_attempt.timeout_seconds * 0.9) then
          raise;
        end if;
        v_code := sqlstate;
        v_error := format('its function ran for longer than %s seconds', v_attempt.timeout_seconds);
      when others or assert_failure then
        -- If another transaction holds the task, the function has not failed.
        v_code := case when v_answer.answer = 'busy' then '55P03' else sqlstate end;
        v_error := sqlerrm;
    end;
  end if;

  if tasker.is_conflict(v_code, v_attempt.conflicts) then
    update tasker.sql_attempts as a
       set conflicts = a.conflicts + 1,
           due_at    = tasker.write_clock() + make_interval(secs => 0.01 * 2 ^ a.conflicts * (0.5 + random()))
     where a.slot_no = p_slot.slot_no
       and a.claim_no = v_attempt.claim_no;
    v_answer := null;
  else
    if v_code is not null then
      v_answers := tasker.record(array[tasker.sql_result(v_uuid, v_attempt.claim_no, null, v_code, v_error, v_begun)], p_settings);
      v_answer := v_answers[1];
    end if;
    -- If another transaction holds the task, keep the attempt, so that a later call records the failure.
    if v_answer.answer is distinct from 'busy' then
      delete from tasker.sql_attempts as a where a.slot_no = p_slot.slot_no and a.claim_no = v_attempt.claim_no;
    end if;
  end if;
  update tasker.sql_slots as s set ran = v_run where s.slot_no = p_slot.slot_no;
  perform tasker.fill_sql_slots();
  return v_answer;
end;
$$;

comment on function tasker.run_sql_attempt is
$$Runs the attempt in a slot that the caller holds. Records either the result together with the function's writes, or only the failure. An attempt whose previous call left no record has failed. Returns the answer to the recorded result. Returns null if no result was recorded, because the call ended in a conflict that does not count, or the step has another claim.

To record the result, locks the step's task, and waits at most two seconds for this lock.$$;
