create or replace function tasker.step_state_is_active(p_state text)
  returns boolean
  language sql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
begin atomic
  select s.active
    from tasker.step_states as s
   where s.state = tasker.parse_step_state(p_state);
end;

comment on function tasker.step_state_is_active is
$$Returns true if a worker has claimed a step in this state. Raises TK422 if there is no such state.$$;

grant execute on function tasker.step_state_is_active
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
