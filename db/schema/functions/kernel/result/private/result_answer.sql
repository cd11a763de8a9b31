create or replace function tasker.result_answer(
  p_state     tasker.step_state,
  p_claim_no  integer,
  p_held_no   integer,
  p_failed    boolean,
  p_refusal   text
)
  returns tasker.result_answer
  language sql
  immutable
  parallel safe
begin atomic
  select case
    when p_state is null then 'not_found'::tasker.result_answer
    when p_state = 'cancelled' then 'cancelled'
    when p_refusal = 'busy' then 'busy'
    when p_claim_no <> p_held_no then 'stale'
    when p_state = 'in_progress' then case p_refusal when 'too_large' then 'too_large'::tasker.result_answer else 'busy' end
    when p_state in ('complete', 'resolved_manually', 'enqueued_for_orchestration') then 'already_complete'
    when not p_failed then 'stale'
    when p_state = 'waiting_for_retry' then 'retrying'
    when p_state = 'error' then 'failed'
    when p_state = 'enqueued_as_error_for_orchestration' then 'recorded'
    else 'stale'
  end;
end;

comment on function tasker.result_answer is
$$Returns the answer to a result that was not recorded, computed from the state and claim of its step, the claim of the result, whether the result is a failure, and the reason of the refusal. A failure that was already recorded gets the same answer as before.$$;
