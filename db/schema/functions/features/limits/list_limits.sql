create or replace function tasker.list_limits(p_namespace text default null)
  returns setof tasker.limit_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  return query
  select d.*
    from tasker.describe_limits(case when p_namespace is null then tasker.bound_namespaces() else array[p_namespace] end) as d;
end;
$$;

comment on function tasker.list_limits is
$$Returns the limits of a namespace, or of all namespaces, by name: their bounds, how many places are in use, how many steps wait and for how long, how many keys these steps have, and which handlers run the steps. A bound caller sees its namespaces only.

Reads the index of all steps that wait for limits or run under them. Raises TK403 if the caller is not bound to the named namespace.$$;

grant execute on function tasker.list_limits
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
