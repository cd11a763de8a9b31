create materialized view tasker.task_hours as
select
  date_trunc('hour', r.bucket, 'UTC') as bucket,
  r.named_task_uuid,
  sum(r.started)::bigint as started,
  sum(r.completed)::bigint as completed,
  sum(r.failed)::bigint as failed,
  sum(r.cancelled)::bigint as cancelled,
  sum(r.resolved)::bigint as resolved,
  sum(r.steps)::bigint as steps,
  sum(r.completed_ms)::bigint as completed_ms,
  sum(r.duration_ms)::bigint as duration_ms,
  min(r.min_ms) as min_ms,
  max(r.max_ms) as max_ms,
  max(r.last_at) as last_at,
  sum(r.durations) as durations
from tasker.task_rollups as r
where r.bucket < (select s.hours_until from tasker.rollup_state as s)
group by 1, 2;

create unique index task_hours_rows_key
  on tasker.task_hours (bucket, named_task_uuid);

comment on index tasker.task_hours_rows_key is
  'Serves the reports of a period, and the refresh of the view while reports read it.';

comment on materialized view tasker.task_hours is
  'tasker.task_rollups summed by hour, up to rollup_state.hours_until. Reports of more than an hour or two read this view. tasker.refresh_analytics refreshes it.';
