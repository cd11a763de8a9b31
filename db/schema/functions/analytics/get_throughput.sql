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
  set timezone = 'UTC'
as $$
declare
  v_since  timestamptz := tasker.report_since(p_since, interval '1 hour');
  v_bucket interval := coalesce(p_bucket, interval '1 minute');
  v_origin constant timestamptz := '2000-01-01 00:00:00Z';
begin
  if v_bucket < interval '1 minute' or v_bucket > interval '366 days'
     or extract(month from v_bucket) + extract(year from v_bucket) <> 0
     or extract(epoch from v_bucket) % 60 <> 0 then
    raise exception using
      errcode = 'TK422',
      message = format('throughput cannot be shown by %s', v_bucket),
      hint    = 'Whole minutes, up to 366 days, without months.';
  end if;
  if (tasker.clock() - v_since) > 10000 * v_bucket then
    raise exception using
      errcode = 'TK422',
      message = format('there are more than 10,000 stretches of %s since %s', v_bucket, v_since),
      hint    = 'Begin later, or ask for longer ones.';
  end if;
  v_since := date_bin(v_bucket, v_since, v_origin);

  return query
  select
    b.start,
    coalesce(t.started, 0),
    coalesce(t.completed, 0),
    coalesce(t.failed, 0),
    coalesce(t.cancelled, 0),
    coalesce(t.resolved, 0),
    coalesce(s.results, 0),
    coalesce(s.failures, 0),
    coalesce(round(t.completed_ms / nullif(t.completed, 0) / 1000.0, 3), 0),
    coalesce(round(s.ms / nullif(s.timed, 0) / 1000.0, 3), 0)
  from generate_series(v_since, tasker.clock(), v_bucket) as b (start)
  left join (
    select
      date_bin(v_bucket, r.bucket, v_origin) as start,
      sum(r.tasks) filter (where r.outcome = 'initializing')::bigint as started,
      sum(r.tasks) filter (where r.outcome = 'complete')::bigint as completed,
      sum(r.tasks) filter (where r.outcome = 'error')::bigint as failed,
      sum(r.tasks) filter (where r.outcome = 'cancelled')::bigint as cancelled,
      sum(r.tasks) filter (where r.outcome = 'resolved_manually')::bigint as resolved,
      sum(r.duration_ms) filter (where r.outcome = 'complete') as completed_ms
    from tasker.task_rollups as r
    join tasker.named_tasks as k
      on k.named_task_uuid = r.named_task_uuid
    join tasker.task_namespaces as n
      on n.task_namespace_uuid = k.task_namespace_uuid
    where r.bucket >= v_since
      and (p_namespace is null or n.name = p_namespace)
    group by 1
  ) as t
    on t.start = b.start
  left join (
    select
      date_bin(v_bucket, r.bucket, v_origin) as start,
      sum(r.results)::bigint as results,
      sum(r.failures)::bigint as failures,
      sum(r.duration_ms) as ms,
      sum(r.results) filter (where r.duration_bin >= 0) as timed
    from tasker.step_rollups as r
    join tasker.named_tasks as k
      on k.named_task_uuid = r.named_task_uuid
    join tasker.task_namespaces as n
      on n.task_namespace_uuid = k.task_namespace_uuid
    where r.bucket >= v_since
      and (p_namespace is null or n.name = p_namespace)
    group by 1
  ) as s
    on s.start = b.start
  order by b.start;
end;
$$;

comment on function tasker.get_throughput(timestamptz, interval, text) is
$$A series for charts: tasks that started and ended, and results of steps, by stretches of p_bucket (default: a minute) since then (default: the last hour). Stretches without work have a row too.

Reads rollups; minutes older than two days have been merged into their hours. Raises TK422 for stretches that are not whole minutes, for more than 10,000 of them, or an infinite time.$$;

revoke all on function tasker.get_throughput(timestamptz, interval, text) from public;
grant execute on function tasker.get_throughput(timestamptz, interval, text)
  to tasker_orchestrator, tasker_operator, tasker_reader;
