create or replace function tasker.step_state_is_ready_for_claiming(p_state text)
  returns boolean
  language sql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
begin atomic
  select s.ready_for_claiming
    from tasker.step_states as s
   where s.state = tasker.parse_step_state(p_state);
end;

comment on function tasker.step_state_is_ready_for_claiming is
$$Returns true if a worker may claim a step in this state. Raises TK422 if there is no such state.$$;

grant execute on function tasker.step_state_is_ready_for_claiming
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
