create or replace function tasker.merge_old_work_minutes(p_before timestamptz, p_keep_from timestamptz)
  returns bigint
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
as $$
declare
  v_merged bigint;
begin
  delete from tasker.work_rollups as r where r.bucket < p_keep_from;

  -- The row of an hour's first minute becomes the row of the hour: add the others to it and delete them.
  insert into tasker.work_rollups as o (
    bucket, task_namespace_uuid, started, completed, failed, cancelled, resolved, completed_ms, results,
    failures, timed, duration_ms
  )
  select
    date_trunc('hour', r.bucket),
    r.task_namespace_uuid,
    sum(r.started),
    sum(r.completed),
    sum(r.failed),
    sum(r.cancelled),
    sum(r.resolved),
    sum(r.completed_ms),
    sum(r.results),
    sum(r.failures),
    sum(r.timed),
    sum(r.duration_ms)
  from tasker.work_rollups as r
  where r.bucket < date_trunc('hour', p_before)
    and r.bucket > date_trunc('hour', r.bucket)
  group by 1, 2
  on conflict (bucket, task_namespace_uuid) do update
     set started = o.started + excluded.started,
         completed = o.completed + excluded.completed,
         failed = o.failed + excluded.failed,
         cancelled = o.cancelled + excluded.cancelled,
         resolved = o.resolved + excluded.resolved,
         completed_ms = o.completed_ms + excluded.completed_ms,
         results = o.results + excluded.results,
         failures = o.failures + excluded.failures,
         timed = o.timed + excluded.timed,
         duration_ms = o.duration_ms + excluded.duration_ms;

  delete from tasker.work_rollups as r
   where r.bucket < date_trunc('hour', p_before)
     and r.bucket > date_trunc('hour', r.bucket);
  get diagnostics v_merged = row_count;
  return v_merged;
end;
$$;

comment on function tasker.merge_old_work_minutes is
$$Merges the minutes of tasker.work_rollups before the first time into hours, and deletes rows older than the second. Returns how many rows it merged.$$;
