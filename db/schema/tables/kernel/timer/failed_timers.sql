create table tasker.failed_timers (
  task_uuid  uuid               not null,
  step_no    integer            not null,
  kind       tasker.timer_kind  not null,
  due_at     timestamptz        not null,
  failures   integer            not null  default 1,
  code       text               not null,
  error      text               not null,
  failed_at  timestamptz        not null,

  constraint failed_timers_pkey
    primary key (task_uuid, step_no, kind)
);

comment on table tasker.failed_timers is
  'Timers whose firing failed, with the last error. A row counts while tasker.timers has the timer with the same due_at. All other rows are left over, and the next failure deletes them.';
