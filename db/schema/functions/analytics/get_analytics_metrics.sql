create or replace function tasker.get_analytics_metrics(p_since timestamptz default null)
  returns setof tasker.analytics_metrics
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set jit = off
as $$
declare
  v_since timestamptz := tasker.report_since(p_since, interval '1 hour');
begin
  return query
  select
    h.total_tasks - h.complete_tasks - h.error_tasks - h.cancelled_tasks - h.resolved_manually_tasks,
    (select count(*) from tasker.task_namespaces),
    (select count(distinct (k.task_namespace_uuid, k.name)) from tasker.named_tasks as k),
    tasker.health_score(h.total_tasks, h.complete_tasks, h.error_tasks, h.active_connections, h.max_connections),
    t.ended,
    t.completed,
    t.failed,
    case when t.ended = 0 then 0 else round(t.completed::numeric / t.ended, 4) end,
    case when t.ended = 0 then 0 else round(t.failed::numeric / t.ended, 4) end,
    case when t.completed = 0 then 0 else round(t.completed_ms::numeric / t.completed / 1000, 3) end,
    case when s.timed = 0 then 0 else round(s.ms::numeric / s.timed / 1000, 3) end,
    s.results,
    v_since,
    tasker.clock(),
    h.rolled_up_until
  from tasker.get_system_health_counts() as h
  cross join (
    select
      coalesce(sum(r.tasks) filter (where r.outcome <> 'initializing'), 0)::bigint as ended,
      coalesce(sum(r.tasks) filter (where r.outcome = 'complete'), 0)::bigint as completed,
      coalesce(sum(r.tasks) filter (where r.outcome = 'error'), 0)::bigint as failed,
      coalesce(sum(r.duration_ms) filter (where r.outcome = 'complete'), 0)::bigint as completed_ms
    from tasker.task_rollups_since(v_since) as r
  ) as t
  cross join (
    select
      coalesce(sum(r.results), 0)::bigint as results,
      coalesce(sum(r.results) filter (where r.duration_bin >= 0), 0)::bigint as timed,
      coalesce(sum(r.duration_ms), 0)::bigint as ms
    from tasker.step_rollups_since(v_since) as r
  ) as s;
end;
$$;

comment on function tasker.get_analytics_metrics(timestamptz) is
$$What the system did since then (default: the last hour, to the minute): tasks that ended, completed and failed, results of steps, how long they took, and one number for its health. One row.

Reads rollups, never runs; what happened after rolled_up_until is not in it: see refresh_analytics. Raises TK422 for an infinite time.$$;

revoke all on function tasker.get_analytics_metrics(timestamptz) from public;
grant execute on function tasker.get_analytics_metrics(timestamptz)
  to tasker_orchestrator, tasker_operator, tasker_reader;
