create or replace function tasker.get_handler_failures(
  p_since      timestamptz  default null,
  p_bucket     interval     default null,
  p_namespace  text         default null
)
  returns setof tasker.handler_failures
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set jit = off
  set plan_cache_mode = force_custom_plan
  set timezone = 'UTC'
as $$
declare
  v_bound  text[] := tasker.bound_namespaces();
  v_since  timestamptz := tasker.report_since(p_since, interval '1 hour');
  v_bucket interval := coalesce(p_bucket, interval '1 minute');
  v_origin constant timestamptz := '2000-01-01 00:00:00Z';
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_periods(v_since, v_bucket);
  v_since := date_bin(v_bucket, v_since, v_origin);
  return query
  select date_bin(v_bucket, r.bucket, v_origin), h.name, sum(r.results)::bigint, sum(r.failures)::bigint
    from tasker.step_rollups as r
    join tasker.named_tasks as k
      on k.named_task_uuid = r.named_task_uuid
    join tasker.task_namespaces as n
      on n.task_namespace_uuid = k.task_namespace_uuid
    join tasker.named_steps as h
      on h.named_step_uuid = r.named_step_uuid
   where r.bucket >= v_since
     and r.failures > 0
     and (p_namespace is null or n.name = p_namespace)
     and (v_bound is null or n.name = any (v_bound))
   group by 1, 2
   order by 1, 2;
end;
$$;

comment on function tasker.get_handler_failures is
$$Returns a series for charts: the number of failures of each handler in each period of length p_bucket (default: a
minute) since p_since (default: the last hour). A period in which a handler did not fail has no row for it. A bound
caller sees only its own namespaces.

Reads rollups. Minutes that are older than two days have been merged into hours. Raises TK422 for an infinite time, and
for periods that are not whole minutes or are more than 10,000. Raises TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_handler_failures
  to tasker_orchestrator, tasker_operator, tasker_reader;
