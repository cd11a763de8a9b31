create or replace function tasker.list_namespaces()
  returns setof tasker.task_namespaces
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select n.*
    from tasker.task_namespaces as n
   order by n.name;
end;
$$;

comment on function tasker.list_namespaces() is
$$The namespaces by name, with how each delivers work and whether it is paused.$$;

revoke all on function tasker.list_namespaces() from public;
grant execute on function tasker.list_namespaces()
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
