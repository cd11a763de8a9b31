create or replace function tasker.attempts_after(p_event text, p_from_state tasker.step_state, p_attempts integer)
  returns integer
  language sql
  immutable
  parallel safe
begin atomic
  select case
    when p_event = 'Start' or p_event = 'WaitForRetry' and p_from_state = 'suspended' then p_attempts + 1
    when p_event in ('Release', 'LeaseExpired') or p_event = 'Suspend' and p_from_state not in ('pending', 'waiting_for_retry')
      then greatest(p_attempts - 1, 0)
    when p_event in ('Retry', 'Reset') and p_from_state = 'error' or p_event = 'Rerun' then 0
    else p_attempts
  end;
end;

comment on function tasker.attempts_after is
$$Returns the number of a step's attempts after an event. A start adds one attempt, and so does the failure of the task that the step waits for. A release, a lost worker or a suspension subtracts one. An operator's restart sets the attempts to 0.$$;
