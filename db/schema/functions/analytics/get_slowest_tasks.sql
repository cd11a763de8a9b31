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
as $$
declare
  v_since timestamptz := tasker.report_since(p_since, interval '24 hours');
begin
  perform tasker.check_page_size(p_limit);
  return query
  with rollups as (
    select
      r.named_task_uuid,
      r.duration_bin,
      sum(r.tasks)::bigint as n,
      sum(r.tasks) filter (where r.outcome = 'error')::bigint as failed,
      sum(r.steps)::bigint as steps,
      sum(r.duration_ms)::bigint as ms,
      min(r.min_ms) as min_ms,
      max(r.max_ms) as max_ms,
      max(r.last_at) as last_at
    from tasker.task_rollups_since(v_since) as r
    join tasker.named_tasks as k
      on k.named_task_uuid = r.named_task_uuid
    join tasker.task_namespaces as n
      on n.task_namespace_uuid = k.task_namespace_uuid
    where (p_namespace is null or n.name = p_namespace)
      and (p_task_name is null or k.name = p_task_name)
      and (p_version is null or k.version = p_version)
      and r.outcome <> 'initializing'
    group by r.named_task_uuid, r.duration_bin
  ),
  sums as (
    select
      r.named_task_uuid,
      sum(r.n) as n,
      coalesce(sum(r.failed), 0) as failed,
      sum(r.steps) as steps,
      sum(r.n) filter (where r.duration_bin >= 0) as timed,
      sum(r.ms) as ms,
      min(r.min_ms) filter (where r.duration_bin >= 0) as min_ms,
      max(r.max_ms) as max_ms,
      max(r.last_at) as last_at
    from rollups as r
    group by r.named_task_uuid
  ),
  slowest as (
    select s.*
      from sums as s
     order by s.ms / nullif(s.timed, 0) desc nulls last, s.named_task_uuid
     limit coalesce(p_limit, 10)
  ),
  climbing as (
    select
      r.named_task_uuid,
      r.duration_bin,
      sum(r.n) over (partition by r.named_task_uuid order by r.duration_bin) as n_until
    from rollups as r
    join slowest as s
      on s.named_task_uuid = r.named_task_uuid
    where r.duration_bin >= 0
  )
  select
    s.named_task_uuid,
    k.name,
    coalesce(round(s.ms / s.timed / 1000, 3), 0),
    round(s.max_ms / 1000.0, 3),
    coalesce(round(s.min_ms / 1000.0, 3), 0),
    s.n::integer,
    round(s.steps::numeric / s.n, 2),
    s.failed::integer,
    round(s.failed::numeric / s.n, 4),
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
  cross join lateral (
    select
      coalesce(min(d.seconds) filter (where c.n_until >= 0.50 * s.timed), 0) as p50,
      coalesce(min(d.seconds) filter (where c.n_until >= 0.95 * s.timed), 0) as p95,
      coalesce(min(d.seconds) filter (where c.n_until >= 0.99 * s.timed), 0) as p99
    from climbing as c
    cross join lateral (
      select round(
        (least(greatest(tasker.duration_of_bin(c.duration_bin), s.min_ms), s.max_ms) / 1000)::numeric, 3
      ) as seconds
    ) as d
    where c.named_task_uuid = s.named_task_uuid
  ) as p
  order by s.ms / nullif(s.timed, 0) desc nulls last, s.named_task_uuid;
end;
$$;

comment on function tasker.get_slowest_tasks(timestamptz, integer, text, text, text) is
$$The templates whose tasks took longest on average from start to end since then (default: the last 24 hours), the slowest first: times, percentiles, steps, failures. Of the templates that match every filter; null is no filter.

Up to p_limit rows (default 10). Reads rollups: whole hours from a materialised view. Raises TK422 for a limit out of bounds or an infinite time.$$;

revoke all on function tasker.get_slowest_tasks(timestamptz, integer, text, text, text) from public;
grant execute on function tasker.get_slowest_tasks(timestamptz, integer, text, text, text)
  to tasker_orchestrator, tasker_operator, tasker_reader;
