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
$$Returns the event by which a pending step whose parents have settled goes to the state that tasker.child_state returns. Returns null if the step stays pending.$$;
