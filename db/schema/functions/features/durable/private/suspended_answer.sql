create or replace function tasker.suspended_answer(p_step tasker.workflow_steps, p_claim_no integer, p_position integer)
  returns tasker.call_answer
  language plpgsql
  immutable
as $$
begin
  return case
    when p_step.state = 'cancelled' then 'cancelled'::tasker.call_answer
    -- The caller repeats the call, because its answer was lost.
    when p_step.claim_no = p_claim_no
         and p_step.state in ('suspended', 'enqueued')
         and (p_step.wait ->> 'claim_no')::integer = p_claim_no
         and (p_step.wait ->> 'position')::integer = p_position then 'suspended'
    else 'stale'
  end;
end;
$$;

comment on function tasker.suspended_answer is
$$Returns the answer to a call of tasker.suspend_step for a step that is not in progress under that claim.$$;
