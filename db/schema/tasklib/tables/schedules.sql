create table tasklib.schedules (
  schedule         text collate "C"  not null,
  name             text collate "C"  not null,
  cron             text              not null,
  timezone         text              not null,
  missed           text              not null,
  next_at          timestamptz       not null,
  last_at          timestamptz,
  last_task_id     uuid,
  priority         integer           not null,
  max_retries      integer,
  timeout_seconds  integer,
  kwargs           jsonb             not null,
  tags             jsonb             not null,
  created_at       timestamptz       not null,
  created_by       text              not null,
  tick_count       bigint            not null  default 0,
  failures         integer           not null  default 0,
  last_error       text,
  last_error_at    timestamptz,
  retry_at         timestamptz,

  constraint schedules_pkey
    primary key (schedule),
  constraint schedules_name_fkey
    foreign key (name) references tasklib.registered_tasks (name),
  constraint schedules_schedule_check
    check (length(schedule) between 1 and 200),
  constraint schedules_missed_check
    check (missed in ('skip', 'once', 'all'))
);

create index schedules_name_idx on tasklib.schedules (name);
create index schedules_due_idx on tasklib.schedules (next_at);

comment on table tasklib.schedules is
  'The schedules. A schedule submits a task at every tick of its cron expression.';
comment on column tasklib.schedules.next_at is
  'The time of the next tick. The transaction that submits the task of a tick also advances this time, and holds the lock of the row, so that each tick has one task.';
comment on column tasklib.schedules.missed is
  'The policy for missed ticks: skip (no task), once (one task for all missed ticks) or all (a task for each missed tick).';
comment on column tasklib.schedules.created_by is
  'The role that created or last changed the schedule. The tasks of the schedule have this role as submitted_by.';
comment on column tasklib.schedules.tick_count is
  'The number of entries ever added to the schedule''s history. It is the tick_no of the newest entry.';
comment on column tasklib.schedules.failures is
  'The number of consecutive failures to fire the schedule. Each failure doubles the time until the next attempt, up to an hour.';
comment on column tasklib.schedules.retry_at is
  'The time of the next attempt after a failure. Null if the last attempt did not fail.';
comment on index tasklib.schedules_name_idx is
  'Serves the foreign key to tasklib.registered_tasks.';
comment on index tasklib.schedules_due_idx is
  'Serves fire_schedules: schedules by their next tick.';
