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
  'The work of a namespace in a minute: tasker.task_rollups and tasker.step_rollups without templates and handlers, for charts and sums. After two days minutes are merged into hours. tasker.roll_up maintains this table.';
comment on column tasker.work_rollups.completed_ms is
  'Total time from start to end of the tasks that completed.';
comment on column tasker.work_rollups.duration_ms is
  'Total duration of the results that have a duration.';
