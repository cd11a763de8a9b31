create or replace function tasker.list_maintenance_jobs()
  returns setof tasker.maintenance_jobs
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select j.*
    from tasker.maintenance_jobs as j
   order by j.position;
end;
$$;

comment on function tasker.list_maintenance_jobs() is
$$Returns the maintenance jobs: their intervals, how often each ran and failed, and when and how it last ended.$$;

revoke all on function tasker.list_maintenance_jobs() from public;
grant execute on function tasker.list_maintenance_jobs()
  to tasker_orchestrator, tasker_operator, tasker_reader;
