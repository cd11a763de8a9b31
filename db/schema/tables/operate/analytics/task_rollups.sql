create table tasker.task_rollups (
  bucket           timestamptz  not null,
  named_task_uuid  uuid         not null,
  started          bigint       not null,
  completed        bigint       not null,
  failed           bigint       not null,
  cancelled        bigint       not null,
  resolved         bigint       not null,
  steps            bigint       not null,
  completed_ms     bigint       not null,
  duration_ms      bigint       not null,
  min_ms           bigint,
  max_ms           bigint,
  last_at          timestamptz,
  durations        numeric      not null,

  constraint task_rollups_pkey
    primary key (bucket, named_task_uuid)
);

comment on table tasker.task_rollups is
  'Tasks that started or ended, by minute and template. After two days the rows of minutes are merged into rows of hours. tasker.roll_up maintains this table.';
comment on column tasker.task_rollups.steps is
  'The number of steps of the tasks that ended in any way. The columns with durations cover the same tasks. Null if no task ended.';
comment on column tasker.task_rollups.durations is
  'A histogram of the durations, encoded as one number (tasker.duration_histogram), so that sum() adds histograms.';
