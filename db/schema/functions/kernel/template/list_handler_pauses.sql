create or replace function tasker.list_handler_pauses(p_namespace text default null)
  returns setof tasker.handler_pauses
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
  select p.*
    from tasker.handler_pauses as p
   where (p_namespace is null or p.namespace = p_namespace)
     and (v_bound is null or p.namespace = any (v_bound))
   order by p.namespace, p.handler;
end;
$$;

comment on function tasker.list_handler_pauses is
$$Returns the paused handlers of a namespace, or of all namespaces, with the beginning, end, actor and reason of each
pause. A bound caller sees the pauses of its namespaces. Raises TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.list_handler_pauses to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
