create or replace view tasker.slowest_tasks as
select
  '00000000-0000-0000-0000-000000000000'::uuid as named_task_uuid,
  ''::text as task_name,
  0::numeric as avg_duration_seconds,
  0::numeric as max_duration_seconds,
  0::numeric as min_duration_seconds,
  0::integer as execution_count,
  0::numeric as avg_step_count,
  0::integer as error_count,
  0::numeric as error_rate,
  '-infinity'::timestamptz as last_executed_at,
  ''::text as namespace_name,
  ''::text as task_version,
  0::numeric as p50_duration_seconds,
  0::numeric as p95_duration_seconds,
  0::numeric as p99_duration_seconds
where false;

comment on view tasker.slowest_tasks is
  'Row type: a template, how long its tasks took from start to end, and how many failed.';
comment on column tasker.slowest_tasks.execution_count is
  'The number of tasks that ended in any way. The durations and the numbers of steps cover all these tasks.';
comment on column tasker.slowest_tasks.error_count is
  'The number of tasks that ended in error.';
comment on column tasker.slowest_tasks.error_rate is
  'The share of tasks that ended in error, 0 to 1.';
comment on column tasker.slowest_tasks.last_executed_at is
  'The time when the last of these tasks ended.';
comment on column tasker.slowest_tasks.p95_duration_seconds is
  'The 95th percentile. A percentile differs from the exact value by at most 9.1 percent plus half a millisecond.';
