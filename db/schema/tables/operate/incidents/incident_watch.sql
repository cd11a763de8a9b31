create table tasker.incident_watch (
  only_row     boolean      not null  default true,
  read_until   timestamptz  not null  default '-infinity',
  judged_at    timestamptz  not null  default '-infinity',
  hours_until  timestamptz  not null  default '-infinity',
  swept_task   uuid,
  swept_step   integer,

  constraint incident_watch_pkey
    primary key (only_row),
  constraint incident_watch_only_row_check
    check (only_row)
);

comment on table tasker.incident_watch is
  'The progress of tasker.judge_incidents. The table has one row.';
comment on column tasker.incident_watch.read_until is
  'The time up to which failures were counted. The next call reads the two minutes before this time again, because some transactions commit late.';
comment on column tasker.incident_watch.hours_until is
  'The end of the hours that tasker.handler_hours has.';
comment on column tasker.incident_watch.swept_task is
  'The task of the last step that was checked. The next check begins after this task, or at the first step if the column is null.';
