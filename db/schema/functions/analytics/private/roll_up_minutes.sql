create or replace function tasker.roll_up_minutes(p_since timestamptz)
  returns void
  language plpgsql
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
  -- Group by class of duration first: one power of ten for many tasks or results.
  delete from tasker.task_rollups as r where r.bucket >= p_since;
  insert into tasker.task_rollups (
    bucket, named_task_uuid, started, completed, failed, cancelled, resolved, steps, completed_ms, duration_ms,
    min_ms, max_ms, last_at, durations
  )
  select
    c.minute,
    c.named_task_uuid,
    coalesce(sum(c.n) filter (where c.bin is null), 0),
    coalesce(sum(c.completed), 0),
    coalesce(sum(c.failed), 0),
    coalesce(sum(c.cancelled), 0),
    coalesce(sum(c.resolved), 0),
    coalesce(sum(c.steps), 0),
    coalesce(sum(c.completed_ms), 0),
    coalesce(sum(c.ms), 0),
    min(c.min_ms),
    max(c.max_ms),
    max(c.last_at),
    coalesce(sum(tasker.duration_histogram(c.bin, c.n)), 0)
  from (
    select
      date_trunc('minute', e.created_at) as minute,
      e.named_task_uuid,
      tasker.duration_bin(e.ms) as bin,
      count(*) as n,
      count(*) filter (where e.to_state = 'complete') as completed,
      count(*) filter (where e.to_state = 'error') as failed,
      count(*) filter (where e.to_state = 'cancelled') as cancelled,
      count(*) filter (where e.to_state = 'resolved_manually') as resolved,
      sum(e.total_steps) filter (where e.ms is not null) as steps,
      sum(e.ms) filter (where e.to_state = 'complete') as completed_ms,
      sum(e.ms) as ms,
      min(e.ms) as min_ms,
      max(e.ms) as max_ms,
      max(e.created_at) filter (where e.ms is not null) as last_at
    from (
      select
        l.created_at,
        l.to_state,
        t.named_task_uuid,
        t.total_steps,
        -- A task that starts has no duration.
        case when l.to_state in ('complete', 'error', 'cancelled', 'resolved_manually') then
          greatest(floor(extract(epoch from l.created_at - coalesce(t.started_at, t.requested_at)) * 1000), 0)
        end::bigint as ms
      from tasker.task_transition_log as l
      join tasker.tasks as t
        on t.task_uuid = l.task_uuid
      where l.created_at >= p_since
        and (l.event = 'Start' or l.to_state in ('complete', 'error', 'cancelled', 'resolved_manually'))
    ) as e
    group by 1, 2, 3
  ) as c
  group by c.minute, c.named_task_uuid;

  delete from tasker.step_rollups as r where r.bucket >= p_since;
  insert into tasker.step_rollups (
    bucket, named_task_uuid, named_step_uuid, results, failures, timed, duration_ms, min_ms, max_ms, last_at, durations
  )
  select
    c.minute,
    c.named_task_uuid,
    c.named_step_uuid,
    sum(c.n),
    sum(c.failures),
    coalesce(sum(c.n) filter (where c.bin is not null), 0),
    coalesce(sum(c.ms), 0),
    min(c.min_ms),
    max(c.max_ms),
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
    from tasker.workflow_step_result_audit as a
    join tasker.tasks as t
      on t.task_uuid = a.task_uuid
    join tasker.workflow_steps as s
      on s.task_uuid = a.task_uuid
     and s.step_no = a.step_no
    where a.recorded_at >= p_since
    group by 1, 2, 3, 4
  ) as c
  group by c.minute, c.named_task_uuid, c.named_step_uuid;

  delete from tasker.work_rollups as r where r.bucket >= p_since;
  insert into tasker.work_rollups (
    bucket, task_namespace_uuid, started, completed, failed, cancelled, resolved, completed_ms, results, failures,
    timed, duration_ms
  )
  select
    w.bucket,
    k.task_namespace_uuid,
    sum(w.started),
    sum(w.completed),
    sum(w.failed),
    sum(w.cancelled),
    sum(w.resolved),
    sum(w.completed_ms),
    sum(w.results),
    sum(w.failures),
    sum(w.timed),
    sum(w.duration_ms)
  from (
    select
      r.bucket, r.named_task_uuid, r.started, r.completed, r.failed, r.cancelled, r.resolved, r.completed_ms,
      0 as results, 0 as failures, 0 as timed, 0 as duration_ms
    from tasker.task_rollups as r
    where r.bucket >= p_since
    union all
    select r.bucket, r.named_task_uuid, 0, 0, 0, 0, 0, 0, r.results, r.failures, r.timed, r.duration_ms
      from tasker.step_rollups as r
     where r.bucket >= p_since
  ) as w
  join tasker.named_tasks as k
    on k.named_task_uuid = w.named_task_uuid
  group by w.bucket, k.task_namespace_uuid;
end;
$$;

comment on function tasker.roll_up_minutes(timestamptz) is
$$Recounts the minutes from that one on: tasks that started or ended, results of steps, with their durations.$$;

revoke all on function tasker.roll_up_minutes(timestamptz) from public;
