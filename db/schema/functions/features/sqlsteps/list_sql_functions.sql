create or replace function tasker.list_sql_functions(p_namespace text default null)
  returns setof tasker.sql_function_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  return query
  select f.* from tasker.describe_sql_functions(case when p_namespace is null then tasker.bound_namespaces() else array[p_namespace] end) as f;
end;
$$;

comment on function tasker.list_sql_functions is
$$Returns the SQL functions that the templates of a namespace, or of all namespaces, name in their steps. Each row has the role that the function runs as, and the reason if its steps cannot run: no role is bound, the function no longer exists or returns another type, or the role lacks rights. A bound caller sees its namespaces only.

Reads the templates that are not retired, and the catalog. Raises TK403 if the caller is not bound to the named namespace.$$;

grant execute on function tasker.list_sql_functions
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
