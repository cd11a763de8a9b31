create materialized view tasker.step_hours as
select
  date_trunc('hour', r.bucket, 'UTC') as bucket,
  r.named_task_uuid,
  r.named_step_uuid,
  sum(r.results)::bigint as results,
  sum(r.failures)::bigint as failures,
  sum(r.timed)::bigint as timed,
  sum(r.duration_ms)::bigint as duration_ms,
  min(r.min_ms) as min_ms,
  max(r.max_ms) as max_ms,
  max(r.last_at) as last_at,
  sum(r.durations) as durations
from tasker.step_rollups as r
where r.bucket < (select s.hours_until from tasker.rollup_state as s)
group by 1, 2, 3;

create unique index step_hours_rows_key
  on tasker.step_hours (bucket, named_task_uuid, named_step_uuid);

comment on index tasker.step_hours_rows_key is
  'Serves the reports of a period, and the refresh of the view while reports read it.';

comment on materialized view tasker.step_hours is
  'tasker.step_rollups summed by hour, up to rollup_state.hours_until. Reports of more than an hour or two read this view. tasker.refresh_analytics refreshes it.';
