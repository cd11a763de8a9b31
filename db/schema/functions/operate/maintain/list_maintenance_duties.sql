create or replace function tasker.list_maintenance_duties()
  returns setof tasker.maintenance_duties
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select d.*
    from tasker.maintenance_duties as d
   order by d.position;
end;
$$;

comment on function tasker.list_maintenance_duties is
$$Returns the maintenance duties. Each row has the interval of the duty, how often it ran and failed, and when and how
it last ended.$$;

grant execute on function tasker.list_maintenance_duties
  to tasker_orchestrator, tasker_operator, tasker_reader;
