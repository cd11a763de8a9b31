create or replace function tasker.recorded_answer(p_state tasker.step_state)
  returns tasker.result_answer
  language sql
  immutable
  parallel safe
begin atomic
  select case p_state
    when 'complete' then 'completed'::tasker.result_answer
    when 'error' then 'failed'
    when 'waiting_for_retry' then 'retrying'
    else 'recorded'
  end;
end;

comment on function tasker.recorded_answer is
$$Returns the answer to a result that moved its step to this state.$$;
