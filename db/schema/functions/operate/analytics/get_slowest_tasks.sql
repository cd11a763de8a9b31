create or replace function tasker.get_slowest_tasks(
  p_since      timestamptz  default null,
  p_limit      integer      default null,
  p_namespace  text         default null,
  p_task_name  text         default null,
  p_version    text         default null
)
  returns setof tasker.slowest_tasks
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set jit = off
  set plan_cache_mode = force_custom_plan
as $$
declare
  v_fresh       timestamptz := tasker.fresh_since();
  v_bound text[] := tasker.bound_namespaces();
  v_since       timestamptz := tasker.report_since(p_since, interval '24 hours');
  v_hours_until timestamptz := (select s.hours_until from tasker.rollup_state as s);
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_page_size(p_limit);
  return query
  with slowest as (
    select
      r.named_task_uuid,
      sum(r.completed + r.failed + r.cancelled + r.resolved) as n,
      sum(r.failed) as failed,
      sum(r.steps) as steps,
      sum(r.duration_ms) / sum(r.completed + r.failed + r.cancelled + r.resolved) as mean_ms,
      min(r.min_ms) as min_ms,
      max(r.max_ms) as max_ms,
      max(r.last_at) as last_at,
      sum(r.durations) as durations
    from (
      select r.*
        from tasker.task_rollups_since(v_since, v_hours_until) as r
       where v_fresh is null
          or r.bucket < v_fresh
      union all
      select f.*
        from tasker.count_tasks_since(greatest(v_fresh, date_trunc('minute', v_since, 'UTC'))) as f
       where v_fresh is not null
    ) as r
    join tasker.named_tasks as k
      on k.named_task_uuid = r.named_task_uuid
    join tasker.task_namespaces as n
      on n.task_namespace_uuid = k.task_namespace_uuid
    where (p_namespace is null or n.name = p_namespace)
      and (v_bound is null or n.name = any (v_bound))
      and (p_task_name is null or k.name = p_task_name)
      and (p_version is null or k.version = p_version)
      -- Skip minutes in which tasks only started.
      and r.last_at is not null
    group by r.named_task_uuid
    order by mean_ms desc, r.named_task_uuid
    limit coalesce(p_limit, 10)
  )
  select
    s.named_task_uuid,
    k.name,
    round(s.mean_ms / 1000, 3),
    round(s.max_ms / 1000.0, 3),
    round(s.min_ms / 1000.0, 3),
    s.n::integer,
    round(s.steps / s.n, 2),
    s.failed::integer,
    round(s.failed / s.n, 4),
    s.last_at,
    n.name,
    k.version,
    p.p50,
    p.p95,
    p.p99
  from slowest as s
  join tasker.named_tasks as k
    on k.named_task_uuid = s.named_task_uuid
  join tasker.task_namespaces as n
    on n.task_namespace_uuid = k.task_namespace_uuid
  cross join lateral tasker.percentiles_of(s.durations, s.min_ms, s.max_ms) as p
  order by s.mean_ms desc, s.named_task_uuid;
end;
$$;

comment on function tasker.get_slowest_tasks is
$$Returns the templates whose tasks took longest on average from start to end since p_since (default: the last 24
hours), the slowest first, with their times, percentiles, steps and failures. Returns only templates that match all
filters. A null argument does not filter. A bound caller sees only its own namespaces.

Returns up to p_limit rows (default 10). Reads whole hours from a materialised view, the other minutes from rollups, and
the rows that were logged since the last rollup. If the logs have more than 20,000 new rows, the function does not read
them, and the result is as of rolled_up_until. Raises TK422 for a limit out of range or an infinite time, and TK403 if
the caller is bound to other namespaces.$$;

grant execute on function tasker.get_slowest_tasks
  to tasker_orchestrator, tasker_operator, tasker_reader;
