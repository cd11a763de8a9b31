create or replace function tasker.lost_after(p_event text, p_from_state tasker.step_state, p_lost_count integer, p_metadata jsonb)
  returns integer
  language sql
  immutable
  parallel safe
begin atomic
  select case
    when p_event = 'LeaseExpired' then p_lost_count + (not tasker.was_waiting(p_event, p_metadata))::integer
    when p_event in ('Retry', 'Reset') and p_from_state = 'error' or p_event = 'Rerun' then 0
    else p_lost_count
  end;
end;

comment on function tasker.lost_after is
$$Returns how many workers a step has lost after this event. A worker that had not begun the step does not count.$$;
