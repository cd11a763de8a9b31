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
  'The outcome of each tick of a schedule, and who paused and resumed it: the newest entries, as many as the setting schedule_ticks says.';
comment on column tasker.schedule_ticks.tick_at is
  'The tick, without jitter. If several ticks were skipped together, this is the first tick.';
comment on column tasker.schedule_ticks.outcome is
  'made: it has a task. skipped: it has none, and reason says why. queued: it waits for the running task. failed: its task could not be created; it is tried again. paused, resumed: reason says by whom.';
