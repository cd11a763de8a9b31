create table tasker.task_staleness (
  task_uuid                 uuid               not null,
  namespace_name            text               not null,
  task_name                 text               not null,
  task_version              text               not null,
  current_state             tasker.task_state  not null,
  priority                  integer            not null,
  requested_at              timestamptz        not null,
  in_state_since            timestamptz        not null,
  progress_at               timestamptz        not null,
  time_in_state_minutes     numeric            not null,
  minutes_without_progress  numeric            not null,
  task_age_minutes          numeric            not null,
  threshold_minutes         integer            not null,
  waits_for                 text,
  health_status             text               not null,
  dlq_reason                text,

  constraint task_staleness_row_type_check
    check (false) no inherit
);

comment on table tasker.task_staleness is
  'Row type: an open task, how long it has made no progress, and whether that is too long.';
comment on column tasker.task_staleness.progress_at is
  'When the task or one of its steps last changed, or was last attempted.';
comment on column tasker.task_staleness.threshold_minutes is
  'The minutes without progress after which it is stale, unless something is due for it.';
comment on column tasker.task_staleness.waits_for is
  'What will move it in spite of the time without progress: lease, timer, namespace_paused, wait (a step is suspended), backlog (its handler is busy with other tasks'' steps); null: nothing. Determined only near the threshold.';
comment on column tasker.task_staleness.health_status is
  'healthy, warning (beyond four fifths of the threshold), stale.';
comment on column tasker.task_staleness.dlq_reason is
  'Why a stale one is stuck, in the words of tasker.tasks_dlq; null while it is not stale.';

revoke all on table tasker.task_staleness from public;
