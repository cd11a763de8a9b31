create or replace function tasker.roll_up_work(p_since timestamptz)
  returns void
  language plpgsql
as $$
begin
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

comment on function tasker.roll_up_work is
$$Sums up the work of each namespace in the minutes from p_since on.$$;
