create table tasker.task_rollups (
  bucket           timestamptz        not null,
  named_task_uuid  uuid               not null,
  outcome          tasker.task_state  not null,
  duration_bin     smallint           not null,
  tasks            bigint             not null,
  steps            bigint             not null,
  duration_ms      bigint             not null,
  min_ms           bigint             not null,
  max_ms           bigint             not null,
  last_at          timestamptz        not null,

  constraint task_rollups_pkey
    primary key (bucket, named_task_uuid, outcome, duration_bin)
);

comment on table tasker.task_rollups is
  'Tasks that started or ended, by minute, template, what became of them and how long they took. After two days minutes are merged into hours. Kept by tasker.roll_up.';
comment on column tasker.task_rollups.outcome is
  'The state that they ended in; initializing for those that started.';
comment on column tasker.task_rollups.duration_bin is
  'Which class of durations: tasker.duration_bin. Percentiles are read from the classes.';

revoke all on table tasker.task_rollups from public;
