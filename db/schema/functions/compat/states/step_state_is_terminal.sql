create or replace function tasker.step_state_is_terminal(p_state text)
  returns boolean
  language sql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
begin atomic
  select s.terminal
    from tasker.step_states as s
   where s.state = tasker.parse_step_state(p_state);
end;

comment on function tasker.step_state_is_terminal is
$$Returns true if a step in this state has ended. Raises TK422 if there is no such state.$$;

grant execute on function tasker.step_state_is_terminal
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
