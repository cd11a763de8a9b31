create table tasklib.schedule_ticks (
  schedule  text collate "C"  not null,
  tick_no   bigint            not null,
  tick_at   timestamptz       not null,
  fired_at  timestamptz       not null,
  outcome   text              not null,
  task_id   uuid,
  reason    text,

  constraint schedule_ticks_pkey
    primary key (schedule, tick_no),
  constraint schedule_ticks_schedule_fkey
    foreign key (schedule) references tasklib.schedules (schedule) on delete cascade,
  constraint schedule_ticks_outcome_check
    check (outcome in ('made', 'skipped', 'failed')),
  constraint schedule_ticks_task_id_check
    check ((outcome = 'made') = (task_id is not null))
);

comment on table tasklib.schedule_ticks is
  'The history of each schedule: the outcomes of its ticks. The setting schedule_ticks says how many of the newest entries of a schedule are kept.';
comment on column tasklib.schedule_ticks.outcome is
  'made: the task of the tick was submitted. skipped: the tick was missed and has no task. failed: the task could not be submitted, and the tick is tried again.';
