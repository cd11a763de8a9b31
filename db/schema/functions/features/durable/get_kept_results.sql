create or replace function tasker.get_kept_results(p_step_uuid uuid, p_after integer default 0, p_limit integer default 100)
  returns setof tasker.kept_details
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
  p_limit := coalesce(p_limit, 100);
  perform tasker.check_limit(p_limit, 10000);
  perform tasker.check_bound(p_step_uuid);
  perform tasker.check_step_exists(p_step_uuid);
  return query
  select k.kept_no::integer, k.name, k.occurrence::integer, case when k.error is null then k.value end, k.error, k.kept_at
    from tasker.kept_results as k
   where k.task_uuid = tasker.task_uuid_of(p_step_uuid)
     and k.step_no = tasker.step_no_of(p_step_uuid)
     and k.kept_no > coalesce(p_after, 0)
   order by k.kept_no
   limit p_limit;
end;
$$;

comment on function tasker.get_kept_results is
$$Returns the kept results of a step's function, in the order of its calls, in pages: the last position of a page is p_after of the next page. A claim delivers these results to the worker. This function returns results that a claim omitted because they are large, and shows results to people.

Raises TK404 if there is no such step, TK422 for a limit out of range, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_kept_results
  to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
