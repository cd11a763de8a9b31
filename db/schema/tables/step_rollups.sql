create table tasker.step_rollups (
  bucket           timestamptz  not null,
  named_task_uuid  uuid         not null,
  named_step_uuid  uuid         not null,
  duration_bin     smallint     not null,
  results          bigint       not null,
  failures         bigint       not null,
  duration_ms      bigint       not null,
  min_ms           bigint       not null,
  max_ms           bigint       not null,
  last_at          timestamptz  not null,

  constraint step_rollups_pkey
    primary key (bucket, named_task_uuid, named_step_uuid, duration_bin)
);

comment on table tasker.step_rollups is
  'Results of steps, by minute, template, handler and how long they took. After two days minutes are merged into hours. Kept by tasker.roll_up.';
comment on column tasker.step_rollups.duration_bin is
  'Which class of durations: tasker.duration_bin; -1 for results without one.';

revoke all on table tasker.step_rollups from public;
