create or replace function tasker.fresh_work(p_since timestamptz)
  returns setof tasker.work_rollups
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_completing smallint[] := array(select u.path from tasker.task_log_paths as u where u.to_state = 'complete');
begin
  return query
  select
    w.bucket, k.task_namespace_uuid,
    sum(w.started)::bigint, sum(w.completed)::bigint, sum(w.failed)::bigint, sum(w.cancelled)::bigint,
    sum(w.resolved)::bigint, sum(w.completed_ms)::bigint, sum(w.results)::bigint, sum(w.failures)::bigint,
    sum(w.timed)::bigint, sum(w.duration_ms)::bigint
  from (
    select
      c.bucket,
      c.named_task_uuid,
      coalesce(sum(c.n) filter (where u.event = 'Start'), 0) as started,
      coalesce(sum(c.n) filter (where u.to_state = 'complete'), 0) as completed,
      coalesce(sum(c.n) filter (where u.to_state = 'error'), 0) as failed,
      coalesce(sum(c.n) filter (where u.to_state = 'cancelled'), 0) as cancelled,
      coalesce(sum(c.n) filter (where u.to_state = 'resolved_manually'), 0) as resolved,
      coalesce(sum(c.ms) filter (where u.to_state = 'complete'), 0) as completed_ms,
      0 as results, 0 as failures, 0 as timed, 0 as duration_ms
    from (
      -- Count the paths first, and look up the meaning of each path once for many rows.
      select
        date_trunc('minute', l.created_at) as bucket,
        t.named_task_uuid,
        l.path,
        count(*) as n,
        sum(greatest(floor(extract(epoch from l.created_at - coalesce(t.started_at, t.requested_at)) * 1000), 0))
          filter (where l.path = any (v_completing)) as ms
      from tasker.task_log as l
      join tasker.tasks as t
        on t.task_uuid = l.task_uuid
      where l.created_at >= p_since
      group by 1, 2, 3
    ) as c
    join tasker.task_log_paths as u
      on u.path = c.path
    where u.event = 'Start'
       or u.to_state in ('complete', 'error', 'cancelled', 'resolved_manually')
    group by 1, 2
    union all
    select
      date_trunc('minute', a.recorded_at), t.named_task_uuid, 0, 0, 0, 0, 0, 0,
      count(*), count(*) filter (where not a.success), count(a.execution_time_ms), coalesce(sum(a.execution_time_ms), 0)
    from tasker.step_result_log as a
    join tasker.tasks as t
      on t.task_uuid = a.task_uuid
    where a.recorded_at >= p_since
    group by 1, 2
  ) as w
  join tasker.named_tasks as k
    on k.named_task_uuid = w.named_task_uuid
  group by w.bucket, k.task_namespace_uuid;
end;
$$;

comment on function tasker.fresh_work is
$$Counts from the logs the work of each namespace in each minute since p_since, as rows of tasker.work_rollups.$$;
