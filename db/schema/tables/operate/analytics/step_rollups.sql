create table tasker.step_rollups (
  bucket           timestamptz  not null,
  named_task_uuid  uuid         not null,
  named_step_uuid  uuid         not null,
  results          bigint       not null,
  failures         bigint       not null,
  timed            bigint       not null,
  duration_ms      bigint       not null,
  min_ms           bigint,
  max_ms           bigint,
  last_at          timestamptz  not null,
  durations        numeric      not null,

  constraint step_rollups_pkey
    primary key (bucket, named_task_uuid, named_step_uuid)
);

comment on table tasker.step_rollups is
  'Results of steps, by minute, template and handler. After two days the rows of minutes are merged into rows of hours. tasker.roll_up maintains this table.';
comment on column tasker.step_rollups.timed is
  'The number of results for which a worker reported a duration. The columns with durations cover these results. Null if there is no such result.';
comment on column tasker.step_rollups.durations is
  'A histogram of the durations, encoded as one number (tasker.duration_histogram), so that sum() adds histograms.';
