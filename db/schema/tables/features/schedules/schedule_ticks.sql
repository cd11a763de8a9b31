create table tasker.schedule_ticks (
  schedule_uuid  uuid         not null,
  tick_no        bigint       not null,
  tick_at        timestamptz  not null,
  fired_at       timestamptz  not null,
  cause          text         not null,
  outcome        text         not null,
  task_uuid      uuid,
  reason         text,

  constraint schedule_ticks_pkey
    primary key (schedule_uuid, tick_no),
  constraint schedule_ticks_schedule_fkey
    foreign key (schedule_uuid) references tasker.schedules (schedule_uuid) on delete cascade,
  constraint schedule_ticks_cause_check
    check (cause in ('tick', 'backfill', 'run_now', 'pause', 'resume')),
  constraint schedule_ticks_outcome_check
    check (outcome in ('made', 'skipped', 'queued', 'failed', 'paused', 'resumed')),
  constraint schedule_ticks_task_uuid_check
    check ((outcome = 'made') = (task_uuid is not null))
);

comment on table tasker.schedule_ticks is
  'The outcome of each tick of a schedule, and its pauses with the caller that made them. The setting schedule_ticks is the number of newest entries that are kept.';
comment on column tasker.schedule_ticks.tick_at is
  'The tick, without jitter. If several ticks were skipped together, this is the first tick.';
comment on column tasker.schedule_ticks.outcome is
  'made: the tick created a task. skipped: the tick created no task, for the given reason. queued: the tick waits for the end of the running task. failed: the task of the tick could not be created, and the schedule tries again. paused, resumed: reason names the caller.';
