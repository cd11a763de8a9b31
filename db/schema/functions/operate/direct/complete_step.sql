create or replace function tasker.complete_step(p_step_uuid uuid, p_claim_no integer, p_result jsonb default null)
  returns tasker.result_answer
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_answer tasker.result_answer;
begin
  select a.answer
    into v_answer
    from tasker.complete_steps(array[p_step_uuid], array[p_claim_no], array[p_result]) as a;
  case
    when v_answer in ('completed', 'recorded') then
      return v_answer;
    -- If the answer to a commit was lost, a second transaction with the same work must not commit its effects again.
    when v_answer = 'already_complete' then
      raise exception using
        errcode = 'TK409',
        message = format('the result of step %s is recorded already', p_step_uuid),
        detail  = format('claim %s', p_claim_no),
        hint    = 'Roll back: an earlier transaction with the same result has committed.';
    when v_answer = 'busy' then
      raise lock_not_available using
        message = format('the result of step %s is not recorded: another transaction has the task locked', p_step_uuid),
        hint    = 'Repeat the transaction.';
    when v_answer = 'too_large' then
      raise exception using
        errcode = 'TK413',
        message = format('the result of step %s is too large', p_step_uuid),
        detail  = format('It has %s bytes.', octet_length(p_result::text)),
        hint    = 'Keep large results elsewhere, and return a reference.';
    else
      raise exception using
        errcode = 'TK409',
        message = format('the result of step %s is not recorded: %s', p_step_uuid, v_answer),
        detail  = format('claim %s', p_claim_no),
        hint    = 'Roll back: the step no longer belongs to this claim.';
  end case;
end;
$$;

comment on function tasker.complete_step is
$$Records the result of one claimed step in the caller's transaction, so that the caller's writes and the result are
committed together, exactly once. Raises an error if the result is not recorded, so that the caller cannot commit.
Returns "completed", or "recorded" if an orchestrator has to advance the task.

Takes the locks of complete_steps. Raises TK409 if the claim is stale, if the step is cancelled or unknown, or if an
earlier transaction has already committed the result. Raises TK413 if the result is too large, 55P03 if another
transaction has locked the task, and the errors of complete_steps.$$;

grant execute on function tasker.complete_step to tasker_worker, tasker_orchestrator, tasker_operator;
