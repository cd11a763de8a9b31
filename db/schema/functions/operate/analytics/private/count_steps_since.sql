create or replace function tasker.count_steps_since(p_since timestamptz)
  returns setof tasker.step_rollups
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
  set timezone = 'UTC'
as $$
begin
  -- Group by class of duration first, so that one power of ten is computed for many rows.
  return query
  select
    c.minute,
    c.named_task_uuid,
    c.named_step_uuid,
    sum(c.n)::bigint,
    sum(c.failures)::bigint,
    coalesce(sum(c.n) filter (where c.bin is not null), 0)::bigint,
    coalesce(sum(c.ms), 0)::bigint,
    min(c.min_ms)::bigint,
    max(c.max_ms)::bigint,
    max(c.last_at),
    coalesce(sum(tasker.duration_histogram(c.bin, c.n)), 0)
  from (
    select
      date_trunc('minute', a.recorded_at) as minute,
      t.named_task_uuid,
      s.named_step_uuid,
      tasker.duration_bin(a.execution_time_ms) as bin,
      count(*) as n,
      count(*) filter (where not a.success) as failures,
      sum(a.execution_time_ms) as ms,
      min(a.execution_time_ms) as min_ms,
      max(a.execution_time_ms) as max_ms,
      max(a.recorded_at) as last_at
    from tasker.step_result_log as a
    join tasker.tasks as t
      on t.task_uuid = a.task_uuid
    join tasker.workflow_steps as s
      on s.task_uuid = a.task_uuid
     and s.step_no = a.step_no
    where a.recorded_at >= p_since
    group by 1, 2, 3, 4
  ) as c
  group by c.minute, c.named_task_uuid, c.named_step_uuid;
end;
$$;

comment on function tasker.count_steps_since is
$$Counts from the logs the results of steps and their durations in each minute from p_since on, as rows of
tasker.step_rollups.$$;
