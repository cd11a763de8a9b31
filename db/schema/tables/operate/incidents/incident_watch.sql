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
  'How far incidents were judged. One row.';
comment on column tasker.incident_watch.read_until is
  'Failures recorded before this time are counted. The two minutes before this time are read again, for transactions that committed late.';
comment on column tasker.incident_watch.hours_until is
  'The hour up to which tasker.handler_hours is filled.';
comment on column tasker.incident_watch.swept_task is
  'The task of the last step that was checked. The next check begins behind this task, or at the first step if this is null.';
