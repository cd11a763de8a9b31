create or replace function tasker.step_state_is_in_processing_pipeline(p_state text)
  returns boolean
  language sql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
begin atomic
  select s.in_processing_pipeline
    from tasker.step_states as s
   where s.state = tasker.parse_step_state(p_state);
end;

comment on function tasker.step_state_is_in_processing_pipeline is
$$Returns true if a step in this state has been enqueued and its result has not been processed yet. Raises TK422 if there is no such state.$$;

grant execute on function tasker.step_state_is_in_processing_pipeline
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
