create or replace function tasker.merge_old_task_minutes(p_before timestamptz, p_keep_from timestamptz)
  returns bigint
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
as $$
declare
  v_merged bigint;
begin
  delete from tasker.task_rollups as r where r.bucket < p_keep_from;

  -- The row of an hour's first minute becomes the row of the hour: add the others to it and delete them.
  insert into tasker.task_rollups as o (
    bucket, named_task_uuid, started, completed, failed, cancelled, resolved, steps, completed_ms, duration_ms,
    min_ms, max_ms, last_at, durations
  )
  select
    date_trunc('hour', r.bucket),
    r.named_task_uuid,
    sum(r.started),
    sum(r.completed),
    sum(r.failed),
    sum(r.cancelled),
    sum(r.resolved),
    sum(r.steps),
    sum(r.completed_ms),
    sum(r.duration_ms),
    min(r.min_ms),
    max(r.max_ms),
    max(r.last_at),
    sum(r.durations)
  from tasker.task_rollups as r
  where r.bucket < date_trunc('hour', p_before)
    and r.bucket > date_trunc('hour', r.bucket)
  group by 1, 2
  on conflict (bucket, named_task_uuid) do update
     set started = o.started + excluded.started,
         completed = o.completed + excluded.completed,
         failed = o.failed + excluded.failed,
         cancelled = o.cancelled + excluded.cancelled,
         resolved = o.resolved + excluded.resolved,
         steps = o.steps + excluded.steps,
         completed_ms = o.completed_ms + excluded.completed_ms,
         duration_ms = o.duration_ms + excluded.duration_ms,
         min_ms = least(o.min_ms, excluded.min_ms),
         max_ms = greatest(o.max_ms, excluded.max_ms),
         last_at = greatest(o.last_at, excluded.last_at),
         durations = o.durations + excluded.durations;

  delete from tasker.task_rollups as r
   where r.bucket < date_trunc('hour', p_before)
     and r.bucket > date_trunc('hour', r.bucket);
  get diagnostics v_merged = row_count;
  return v_merged;
end;
$$;

comment on function tasker.merge_old_task_minutes is
$$Merges the minutes of tasker.task_rollups before the first time into hours, and deletes rows older than the second. Returns how many rows it merged.$$;
