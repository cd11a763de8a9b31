create or replace function tasker.task_state_is_waiting(p_state text)
  returns boolean
  language sql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
begin atomic
  select s.waiting
    from tasker.task_states as s
   where s.state = tasker.parse_task_state(p_state);
end;

comment on function tasker.task_state_is_waiting is
$$Returns true if a task in this state waits for dependencies, for a retry or for an operator. Raises TK422 if there is no such state.$$;

grant execute on function tasker.task_state_is_waiting
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
