create or replace function tasker.list_step_states()
  returns setof tasker.step_states
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select s.*
    from tasker.step_states as s
   order by s.state;
end;
$$;

comment on function tasker.list_step_states is
$$Returns the states of a step with their meaning.$$;

grant execute on function tasker.list_step_states
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
