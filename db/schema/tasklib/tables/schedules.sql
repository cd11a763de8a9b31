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
  'Recurring tasks: each submits a task at every tick of a cron expression.';
comment on column tasklib.schedules.next_at is
  'The next tick. The transaction that submits the tick''s task also advances the tick, under the row''s lock, so that each tick has one task.';
comment on column tasklib.schedules.missed is
  'The policy for missed ticks: skip, once (one task for all of them) or all.';
comment on column tasklib.schedules.created_by is
  'The role in whose name the tasks are submitted.';
comment on column tasklib.schedules.tick_count is
  'The number of entries that the schedule''s history has had. This count numbers the entries.';
comment on column tasklib.schedules.failures is
  'The number of times in a row that firing the schedule failed. Each failure doubles the wait for the next attempt.';
comment on column tasklib.schedules.retry_at is
  'After a failure, when the schedule is tried again.';
comment on index tasklib.schedules_name_idx is
  'For the foreign key.';
comment on index tasklib.schedules_due_idx is
  'For fire_schedules.';
