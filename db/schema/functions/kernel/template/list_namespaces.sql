create or replace function tasker.list_namespaces()
  returns setof tasker.task_namespaces
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
begin
  return query
  select n.*
    from tasker.task_namespaces as n
   where v_bound is null or n.name = any (v_bound)
   order by n.name;
end;
$$;

comment on function tasker.list_namespaces is
$$Returns the namespaces by name, with how each delivers work and whether it is paused. A bound caller sees only its own namespaces.$$;

grant execute on function tasker.list_namespaces
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
