create or replace function tasker.list_schedules(p_namespace text default null)
  returns setof tasker.schedules
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  return query
  select s.*
    from tasker.schedules as s
   where (p_namespace is null or s.namespace = p_namespace)
     and (v_bound is null or s.namespace = any (v_bound))
   order by s.namespace, s.schedule;
end;
$$;

comment on function tasker.list_schedules is
$$Returns the schedules of a namespace, or of all namespaces, by name: the next and the last tick, the last task, the queued tick, the running backfill, and the error that keeps the schedule from creating tasks. A bound caller sees its namespaces only. Raises TK403 if the caller is not bound to the named namespace.$$;

grant execute on function tasker.list_schedules
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
