create or replace function tasker.lost_after(p_event text, p_from_state tasker.step_state, p_lost_count integer)
  returns integer
  language sql
  immutable
  parallel safe
begin atomic
  select case
    when p_event = 'LeaseExpired' then p_lost_count + 1
    when p_event in ('Retry', 'Reset') and p_from_state = 'error' then 0
    else p_lost_count
  end;
end;

comment on function tasker.lost_after(text, tasker.step_state, integer) is
$$Returns how many workers a step has lost after this event.$$;

revoke all on function tasker.lost_after(text, tasker.step_state, integer) from public;
