create materialized view tasker.work_hours as
select
  date_trunc('hour', r.bucket, 'UTC') as bucket,
  r.task_namespace_uuid,
  sum(r.started)::bigint as started,
  sum(r.completed)::bigint as completed,
  sum(r.failed)::bigint as failed,
  sum(r.cancelled)::bigint as cancelled,
  sum(r.resolved)::bigint as resolved,
  sum(r.completed_ms)::bigint as completed_ms,
  sum(r.results)::bigint as results,
  sum(r.failures)::bigint as failures,
  sum(r.timed)::bigint as timed,
  sum(r.duration_ms)::bigint as duration_ms
from tasker.work_rollups as r
where r.bucket < (select s.hours_until from tasker.rollup_state as s)
group by 1, 2;

create unique index work_hours_rows_key
  on tasker.work_hours (bucket, task_namespace_uuid);

comment on index tasker.work_hours_rows_key is
  'Serves the reports of a period, and the refresh of the view while reports read it.';

comment on materialized view tasker.work_hours is
  'tasker.work_rollups summed by hour, up to rollup_state.hours_until. Reports of more than an hour or two read this view. tasker.refresh_analytics refreshes it.';
