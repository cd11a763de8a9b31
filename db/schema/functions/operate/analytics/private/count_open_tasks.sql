create or replace function tasker.count_open_tasks()
  returns setof tasker.open_task_counts
  language plpgsql
  stable
  rows 8
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select
    t.state,
    count(*),
    sum(t.open_steps),
    sum(t.active_steps),
    sum(t.retrying_steps),
    sum(t.suspended_steps)
  from tasker.tasks as t
  where not t.complete
  group by t.state;
end;
$$;

comment on function tasker.count_open_tasks is
$$Counts open tasks by state, through their partial index. Does not read finished tasks.$$;
