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
  delete from tasker.task_rollups as r where r.bucket >= p_since;
  insert into tasker.task_rollups (
    bucket, named_task_uuid, outcome, duration_bin, tasks, steps, duration_ms, min_ms, max_ms, last_at
  )
  select
    date_trunc('minute', e.created_at),
    e.named_task_uuid,
    e.to_state,
    tasker.duration_bin(e.ms),
    count(*),
    sum(e.total_steps),
    sum(e.ms),
    min(e.ms),
    max(e.ms),
    max(e.created_at)
  from (
    select
      l.created_at,
      l.to_state,
      t.named_task_uuid,
      t.total_steps,
      greatest(floor(extract(epoch from l.created_at - coalesce(t.started_at, t.requested_at)) * 1000), 0)::bigint as ms
    from tasker.task_transition_log as l
    join tasker.tasks as t
      on t.task_uuid = l.task_uuid
    where l.created_at >= p_since
      and (l.event = 'Start' or l.to_state in ('complete', 'error', 'cancelled', 'resolved_manually'))
  ) as e
  group by 1, 2, 3, 4;

  delete from tasker.step_rollups as r where r.bucket >= p_since;
  insert into tasker.step_rollups (
    bucket, named_task_uuid, named_step_uuid, duration_bin, results, failures, duration_ms, min_ms, max_ms, last_at
  )
  select
    date_trunc('minute', a.recorded_at),
    t.named_task_uuid,
    s.named_step_uuid,
    tasker.duration_bin(a.execution_time_ms),
    count(*),
    count(*) filter (where not a.success),
    coalesce(sum(a.execution_time_ms), 0),
    coalesce(min(a.execution_time_ms), 0),
    coalesce(max(a.execution_time_ms), 0),
    max(a.recorded_at)
  from tasker.workflow_step_result_audit as a
  join tasker.tasks as t
    on t.task_uuid = a.task_uuid
  join tasker.workflow_steps as s
    on s.task_uuid = a.task_uuid
   and s.step_no = a.step_no
  where a.recorded_at >= p_since
  group by 1, 2, 3, 4;
end;
$$;

comment on function tasker.roll_up_minutes(timestamptz) is
$$Counts the minutes from that one on anew: tasks that started or ended, results of steps, with their durations.$$;

revoke all on function tasker.roll_up_minutes(timestamptz) from public;
