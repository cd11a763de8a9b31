create table tasker.work_rollups (
  bucket               timestamptz  not null,
  task_namespace_uuid  uuid         not null,
  started              bigint       not null,
  completed            bigint       not null,
  failed               bigint       not null,
  cancelled            bigint       not null,
  resolved             bigint       not null,
  completed_ms         bigint       not null,
  results              bigint       not null,
  failures             bigint       not null,
  timed                bigint       not null,
  duration_ms          bigint       not null,

  constraint work_rollups_pkey
    primary key (bucket, task_namespace_uuid)
);

comment on table tasker.work_rollups is
  'The work of a namespace per minute: tasker.task_rollups and tasker.step_rollups summed over all templates and handlers, for charts and totals. After two days the rows of minutes are merged into rows of hours. tasker.roll_up maintains this table.';
comment on column tasker.work_rollups.completed_ms is
  'The total time, in milliseconds, from the start to the end of the tasks that completed.';
comment on column tasker.work_rollups.duration_ms is
  'The total duration, in milliseconds, of the results that have a duration.';
