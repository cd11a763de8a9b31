create or replace function tasker.step_is_open(p_state tasker.step_state)
  returns integer
  language sql
  immutable
  parallel safe
begin atomic
  select (p_state not in ('complete', 'error', 'cancelled', 'resolved_manually'))::integer;
end;

comment on function tasker.step_is_open is
$$Returns 1 if a step in this state is neither done nor failed, otherwise 0. Repeats a column of tasker.step_states for statements in which a query for each step would cost too much. A test compares the function with the table. The function is inlined.$$;
