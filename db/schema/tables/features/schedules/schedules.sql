create table tasker.schedules (
  -- The UUID is above the UUIDs of all tasks, so that the schedule's timer lies in no range of tasks.
  schedule_uuid       uuid         not null  default ('ffffffff' || substr(gen_random_uuid()::text, 9))::uuid,
  namespace           text         not null,
  schedule            text         not null,
  task_name           text         not null,
  task_version        text,
  cron                text,
  every_seconds       integer,
  timezone            text         not null,
  jitter_seconds      integer      not null,
  starts_at           timestamptz,
  ends_at             timestamptz,
  catch_up            text         not null,
  catch_up_limit      integer      not null,
  overlap             text         not null,
  context             jsonb        not null,
  priority            integer      not null,
  tags                text[]       not null,
  deadline_seconds    integer,
  anchor_at           timestamptz  not null,
  next_tick_at        timestamptz,
  due_at              timestamptz,
  queued_tick_at      timestamptz,
  backfill_next_at    timestamptz,
  backfill_until      timestamptz,
  backfill_overlap    text,
  last_tick_at        timestamptz,
  last_task_uuid      uuid,
  running_tasks       uuid[]       not null  default '{}',
  caught_up           integer      not null  default 0,
  tick_count          bigint       not null  default 0,
  failures            integer      not null  default 0,
  last_error          text,
  last_error_at       timestamptz,
  paused_at           timestamptz,
  paused_by           text,
  paused_login        text,
  paused_role         text,
  checked_at          timestamptz  not null,
  created_at          timestamptz  not null,
  created_by          text         not null,
  updated_at          timestamptz  not null,
  updated_by          text         not null,
  creator_namespaces  text[],

  constraint schedules_pkey
    primary key (schedule_uuid),
  constraint schedules_schedule_key
    unique (namespace, schedule),
  constraint schedules_namespace_fkey
    foreign key (namespace) references tasker.task_namespaces (name),
  constraint schedules_schedule_check
    check (length(schedule) between 1 and 200),
  constraint schedules_cron_check
    check ((cron is null) <> (every_seconds is null)),
  constraint schedules_every_seconds_check
    check (every_seconds > 0),
  constraint schedules_ends_at_check
    check (ends_at > starts_at),
  constraint schedules_catch_up_check
    check (catch_up in ('skip', 'one', 'all')),
  constraint schedules_overlap_check
    check (overlap in ('allow', 'skip', 'queue_one')),
  constraint schedules_backfill_check
    check (
      (backfill_next_at is null) = (backfill_until is null)
      and (backfill_next_at is null) = (backfill_overlap is null)
      and backfill_overlap in ('allow', 'one_by_one')
    ),
  constraint schedules_paused_check
    check ((paused_at is null) = (paused_by is null) and (paused_at is null) = (paused_login is null)),
  constraint schedules_due_at_check
    check (paused_at is null or due_at is null)
);

create index schedules_checked_idx
  on tasker.schedules (checked_at);

comment on index tasker.schedules_checked_idx is
  'Serves maintenance: the schedules whose next tick was computed longest ago, or by a clock that was ahead.';

comment on table tasker.schedules is
  'Schedules of recurring tasks: the template from which the tasks are created, and the times. Each schedule has one timer, of kind fire_schedule, for its next check.';
comment on column tasker.schedules.task_version is
  'The version of the template. Null means that each tick uses the newest version that is not retired.';
comment on column tasker.schedules.anchor_at is
  'The time from which an interval is counted: the start, or the creation of the schedule.';
comment on column tasker.schedules.next_tick_at is
  'The tick that comes next, without jitter. Null after the last tick.';
comment on column tasker.schedules.due_at is
  'The time when the schedule is checked next: its next tick with its jitter, the next attempt after an error, or sooner while a tick is queued or a backfill runs. Null if nothing will be due. The timer of the schedule has the same time.';
comment on column tasker.schedules.queued_tick_at is
  'The tick that waits for the running task to end, if overlap is "queue_one".';
comment on column tasker.schedules.backfill_next_at is
  'The next tick of the running backfill. Null if no backfill runs.';
comment on column tasker.schedules.running_tasks is
  'The newest 100 tasks that the schedule created and that had not ended at its last check.';
comment on column tasker.schedules.caught_up is
  'The number of missed ticks for which the schedule has created a task since a tick was last on time.';
comment on column tasker.schedules.tick_count is
  'The number of entries that were ever added to the schedule''s history. It is the number of the newest entry.';
comment on column tasker.schedules.failures is
  'The number of times in a row that a task could not be created. Each failure doubles the wait for the next attempt.';
comment on column tasker.schedules.paused_login is
  'The role that was logged in. paused_role is the role that it had set, null if it had set none.';
comment on column tasker.schedules.checked_at is
  'The time when the next tick was computed last.';
comment on column tasker.schedules.creator_namespaces is
  'The namespaces to which the session that set the schedule was bound. Tasks of the schedule start tasks only in these namespaces. Null means all namespaces.';
