create or replace function tasker.step_state_is_error(p_state text)
  returns boolean
  language sql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
begin atomic
  select s.error
    from tasker.step_states as s
   where s.state = tasker.parse_step_state(p_state);
end;

comment on function tasker.step_state_is_error is
$$Returns true if a step in this state has failed for good. Raises TK422 if there is no such state.$$;

grant execute on function tasker.step_state_is_error
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
