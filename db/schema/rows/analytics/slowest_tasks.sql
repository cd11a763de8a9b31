create table tasker.slowest_tasks (
  named_task_uuid       uuid         not null,
  task_name             text         not null,
  avg_duration_seconds  numeric      not null,
  max_duration_seconds  numeric      not null,
  min_duration_seconds  numeric      not null,
  execution_count       integer      not null,
  avg_step_count        numeric      not null,
  error_count           integer      not null,
  error_rate            numeric      not null,
  last_executed_at      timestamptz  not null,
  namespace_name        text         not null,
  task_version          text         not null,
  p50_duration_seconds  numeric      not null,
  p95_duration_seconds  numeric      not null,
  p99_duration_seconds  numeric      not null,

  constraint slowest_tasks_row_type_check
    check (false) no inherit
);

comment on table tasker.slowest_tasks is
  'Row type: a template, how long its tasks took from start to end, and how many failed.';
comment on column tasker.slowest_tasks.execution_count is
  'Tasks that ended in any way; durations and steps are of all of them.';
comment on column tasker.slowest_tasks.error_count is
  'Tasks that ended in error.';
comment on column tasker.slowest_tasks.error_rate is
  'The share of those, 0 to 1.';
comment on column tasker.slowest_tasks.last_executed_at is
  'When the last of them ended.';
comment on column tasker.slowest_tasks.p95_duration_seconds is
  'Percentiles are at most 9.1 percent off, and half a millisecond.';

revoke all on table tasker.slowest_tasks from public;
