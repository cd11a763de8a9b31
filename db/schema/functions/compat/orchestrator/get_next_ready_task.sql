create or replace function tasker.get_next_ready_task()
  returns setof tasker.ready_tasks
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query select r.* from tasker.get_next_ready_tasks(1) as r;
end;
$$;

comment on function tasker.get_next_ready_task is
$$Hands out one task as get_next_ready_tasks does, with the same locks. Returns no row if no task is ready.$$;

grant execute on function tasker.get_next_ready_task to tasker_orchestrator, tasker_operator;
