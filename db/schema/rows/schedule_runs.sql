create table tasker.schedule_runs (
  tick_at  timestamptz  not null,
  due_at   timestamptz  not null,

  constraint schedule_runs_row_type_check
    check (false) no inherit
);

comment on table tasker.schedule_runs is
  'Row type: a tick to come.';
comment on column tasker.schedule_runs.due_at is
  'The tick with its jitter.';

revoke all on table tasker.schedule_runs from public;
