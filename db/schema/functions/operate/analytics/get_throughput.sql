create or replace function tasker.get_throughput(
  p_since      timestamptz  default null,
  p_bucket     interval     default null,
  p_namespace  text         default null
)
  returns setof tasker.throughput
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set jit = off
  set plan_cache_mode = force_custom_plan
  set timezone = 'UTC'
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
  v_since  timestamptz := tasker.report_since(p_since, interval '1 hour');
  v_bucket interval := coalesce(p_bucket, interval '1 minute');
  v_origin constant timestamptz := '2000-01-01 00:00:00Z';
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_periods(v_since, v_bucket);
  v_since := date_bin(v_bucket, v_since, v_origin);

  return query
  select
    b.start,
    coalesce(w.started, 0),
    coalesce(w.completed, 0),
    coalesce(w.failed, 0),
    coalesce(w.cancelled, 0),
    coalesce(w.resolved, 0),
    coalesce(w.results, 0),
    coalesce(w.failures, 0),
    coalesce(round(w.completed_ms / nullif(w.completed, 0) / 1000.0, 3), 0),
    coalesce(round(w.duration_ms / nullif(w.timed, 0) / 1000.0, 3), 0)
  from generate_series(v_since, tasker.clock(), v_bucket) as b (start)
  left join (
    select
      date_bin(v_bucket, r.bucket, v_origin) as start,
      sum(r.started)::bigint as started,
      sum(r.completed)::bigint as completed,
      sum(r.failed)::bigint as failed,
      sum(r.cancelled)::bigint as cancelled,
      sum(r.resolved)::bigint as resolved,
      sum(r.completed_ms) as completed_ms,
      sum(r.results)::bigint as results,
      sum(r.failures)::bigint as failures,
      sum(r.timed) as timed,
      sum(r.duration_ms) as duration_ms
    from tasker.work_rollups as r
    join tasker.task_namespaces as n
      on n.task_namespace_uuid = r.task_namespace_uuid
    where r.bucket >= v_since
      and (p_namespace is null or n.name = p_namespace)
      and (v_bound is null or n.name = any (v_bound))
    group by 1
  ) as w
    on w.start = b.start
  order by b.start;
end;
$$;

comment on function tasker.get_throughput is
$$Returns a series for charts: how many tasks started and ended and how many results were recorded in each period of
length p_bucket (default: a minute) since p_since (default: the last hour). A period without work has a row, too. A
bound caller sees only its own namespaces.

Reads rollups. Minutes that are older than two days have been merged into hours. Raises TK422 for an infinite time, and
for periods that are not whole minutes or are more than 10,000. Raises TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_throughput
  to tasker_orchestrator, tasker_operator, tasker_reader;
