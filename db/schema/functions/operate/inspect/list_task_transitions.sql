create or replace function tasker.list_task_transitions()
  returns setof tasker.task_state_machine
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select m.*
    from tasker.task_state_machine as m
   order by m.from_state, m.to_state, m.position;
end;
$$;

comment on function tasker.list_task_transitions is
$$Returns every transition that a task may make, with its old state, its event and its new state.$$;

grant execute on function tasker.list_task_transitions
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
