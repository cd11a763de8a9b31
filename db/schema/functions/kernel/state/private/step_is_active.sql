create or replace function tasker.step_is_active(p_state tasker.step_state)
  returns integer
  language sql
  immutable
  parallel safe
begin atomic
  select (p_state in ('enqueued', 'in_progress', 'enqueued_for_orchestration', 'enqueued_as_error_for_orchestration'))::integer;
end;

comment on function tasker.step_is_active is
$$Returns 1 if a step in this state is in the processing pipeline, otherwise 0. Repeats a column of tasker.step_states for statements in which a query for each step would cost too much. A test compares the function with the table. The function is inlined.$$;
