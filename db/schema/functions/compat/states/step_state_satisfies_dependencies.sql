create or replace function tasker.step_state_satisfies_dependencies(p_state text)
  returns boolean
  language sql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
begin atomic
  select s.satisfies_dependencies
    from tasker.step_states as s
   where s.state = tasker.parse_step_state(p_state);
end;

comment on function tasker.step_state_satisfies_dependencies is
$$Returns true if a step in this state satisfies the dependency of the steps that depend on it. Raises TK422 if there is no such state.$$;

grant execute on function tasker.step_state_satisfies_dependencies
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
