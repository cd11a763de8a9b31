create table tasker.throughput (
  bucket_start      timestamptz  not null,
  tasks_started     bigint       not null,
  tasks_completed   bigint       not null,
  tasks_failed      bigint       not null,
  tasks_cancelled   bigint       not null,
  tasks_resolved    bigint       not null,
  step_results      bigint       not null,
  step_failures     bigint       not null,
  avg_task_seconds  numeric      not null,
  avg_step_seconds  numeric      not null,

  constraint throughput_row_type_check
    check (false) no inherit
);

comment on table tasker.throughput is
  'Row type: the work of one period.';
comment on column tasker.throughput.avg_task_seconds is
  'Average from start to end of the tasks that completed in it; 0 if none did.';
comment on column tasker.throughput.step_results is
  'Results of steps, failures included.';

revoke all on table tasker.throughput from public;
