create or replace function tasker.ready_event(p_state tasker.step_state)
  returns text
  language sql
  immutable
  parallel safe
begin atomic
  select case p_state
    when 'enqueued' then 'Enqueue'
    when 'suspended' then 'Suspend'
    when 'cancelled' then 'Skip'
  end;
end;

comment on function tasker.ready_event is
$$The event by which a pending step whose parents have settled goes where tasker.child_state says; null if it stays.$$;
