create or replace view tasker.slowest_steps as
select
  '00000000-0000-0000-0000-000000000000'::uuid as named_step_uuid,
  ''::text as step_name,
  0::numeric as avg_duration_seconds,
  0::numeric as max_duration_seconds,
  0::numeric as min_duration_seconds,
  0::integer as execution_count,
  0::integer as error_count,
  0::numeric as error_rate,
  '-infinity'::timestamptz as last_executed_at,
  0::numeric as p50_duration_seconds,
  0::numeric as p95_duration_seconds,
  0::numeric as p99_duration_seconds,
  0::numeric as total_seconds
where false;

comment on view tasker.slowest_steps is
  'Row type: a handler, how long its executions took, and how many failed.';
comment on column tasker.slowest_steps.avg_duration_seconds is
  'The average duration. All durations of this row type are of the executions for which a worker reported a time.';
comment on column tasker.slowest_steps.execution_count is
  'The number of results, including failures.';
comment on column tasker.slowest_steps.error_rate is
  'The share of failures, 0 to 1.';
comment on column tasker.slowest_steps.p95_duration_seconds is
  'The 95th percentile. A percentile differs from the exact value by at most 9.1 percent plus half a millisecond.';
comment on column tasker.slowest_steps.total_seconds is
  'The total time of all executions in seconds.';
