create or replace function tasker.history_turn(p_event text)
  returns integer
  language sql
  immutable
  parallel safe
begin atomic
  select case when p_event in ('Start', 'Reset', 'Rerun', 'RetryReady') then 0 else 2 end;
end;

comment on function tasker.history_turn is
$$Returns the position of a task's transition among events of the same instant. A task starts before its steps, which
have the position 1, and is evaluated after them.$$;
