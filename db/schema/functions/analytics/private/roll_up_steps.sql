create or replace function tasker.roll_up_steps(p_since timestamptz)
  returns void
  language plpgsql
as $$
begin
  -- Group by class of duration first, as tasker.roll_up_tasks does.
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
end;
$$;

comment on function tasker.roll_up_steps(timestamptz) is
$$Recounts the minutes from that one on: results of steps, with their durations. The caller sets the time zone to UTC.$$;

revoke all on function tasker.roll_up_steps(timestamptz) from public;
