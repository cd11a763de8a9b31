create or replace function tasker.get_analytics_metrics(p_since timestamptz default null)
  returns setof tasker.analytics_metrics
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set jit = off
  set plan_cache_mode = force_custom_plan
as $$
declare
  v_fresh       timestamptz := tasker.fresh_since();
  v_bound       text[] := tasker.bound_namespaces();
  v_since       timestamptz := tasker.report_since(p_since, interval '1 hour');
  v_hours_until timestamptz := (select s.hours_until from tasker.rollup_state as s);
  v_namespaces  uuid[] := array(select n.task_namespace_uuid from tasker.task_namespaces as n where n.name = any (v_bound));
begin
  return query
  select
    h.total_tasks - h.complete_tasks - h.error_tasks - h.cancelled_tasks - h.resolved_manually_tasks,
    (select count(*) from tasker.task_namespaces as n where v_bound is null or n.name = any (v_bound)),
    (
      select count(distinct (k.task_namespace_uuid, k.name))
        from tasker.named_tasks as k
       where v_bound is null or k.task_namespace_uuid = any (v_namespaces)
    ),
    tasker.health_score(h.total_tasks, h.complete_tasks, h.error_tasks, h.active_connections, h.max_connections),
    w.ended,
    w.completed,
    w.failed,
    case when w.ended = 0 then 0 else round(w.completed::numeric / w.ended, 4) end,
    case when w.ended = 0 then 0 else round(w.failed::numeric / w.ended, 4) end,
    case when w.completed = 0 then 0 else round(w.completed_ms::numeric / w.completed / 1000, 3) end,
    case when w.timed = 0 then 0 else round(w.duration_ms::numeric / w.timed / 1000, 3) end,
    w.results,
    v_since,
    tasker.clock(),
    h.rolled_up_until
  from tasker.get_system_health_counts() as h
  cross join (
    select
      coalesce(sum(r.completed + r.failed + r.cancelled + r.resolved), 0)::bigint as ended,
      coalesce(sum(r.completed), 0)::bigint as completed,
      coalesce(sum(r.failed), 0)::bigint as failed,
      coalesce(sum(r.completed_ms), 0)::bigint as completed_ms,
      coalesce(sum(r.results), 0)::bigint as results,
      coalesce(sum(r.timed), 0)::bigint as timed,
      coalesce(sum(r.duration_ms), 0)::bigint as duration_ms
    from (
      select r.*
        from tasker.work_rollups_since(v_since, v_hours_until) as r
       where v_fresh is null
          or r.bucket < v_fresh
      union all
      select f.*
        from tasker.fresh_work(greatest(v_fresh, date_trunc('minute', v_since, 'UTC'))) as f
       where v_fresh is not null
    ) as r
    where v_bound is null or r.task_namespace_uuid = any (v_namespaces)
  ) as w;
end;
$$;

comment on function tasker.get_analytics_metrics is
$$Returns one row about the work since p_since (default: the last hour, in whole minutes): how many tasks ended,
completed and failed, how many results were recorded, durations, and one number for the system's health. A bound caller
sees only its own namespaces.

Reads rollups, and the rows that were logged since the last rollup. If the logs have more than 20,000 new rows, the
function does not read them, and the numbers are as of rolled_up_until. Raises TK422 for an infinite time.$$;

grant execute on function tasker.get_analytics_metrics
  to tasker_orchestrator, tasker_operator, tasker_reader;
