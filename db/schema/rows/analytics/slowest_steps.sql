create table tasker.slowest_steps (
  named_step_uuid       uuid         not null,
  step_name             text         not null,
  avg_duration_seconds  numeric      not null,
  max_duration_seconds  numeric      not null,
  min_duration_seconds  numeric      not null,
  execution_count       integer      not null,
  error_count           integer      not null,
  error_rate            numeric      not null,
  last_executed_at      timestamptz  not null,
  p50_duration_seconds  numeric      not null,
  p95_duration_seconds  numeric      not null,
  p99_duration_seconds  numeric      not null,
  total_seconds         numeric      not null,

  constraint slowest_steps_row_type_check
    check (false) no inherit
);

comment on table tasker.slowest_steps is
  'Row type: a handler, how long its executions took, and how many failed.';
comment on column tasker.slowest_steps.avg_duration_seconds is
  'Like all durations here, only of executions whose worker reported a time.';
comment on column tasker.slowest_steps.execution_count is
  'Results, failures included.';
comment on column tasker.slowest_steps.error_rate is
  'The share of failures, 0 to 1.';
comment on column tasker.slowest_steps.p95_duration_seconds is
  'Percentiles are at most 9.1 percent off, and half a millisecond.';
comment on column tasker.slowest_steps.total_seconds is
  'Total time of all executions.';

revoke all on table tasker.slowest_steps from public;
