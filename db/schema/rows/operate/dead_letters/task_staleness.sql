create or replace view tasker.task_staleness as
select
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  ''::text as namespace_name,
  ''::text as task_name,
  ''::text as task_version,
  'pending'::tasker.task_state as current_state,
  0::integer as priority,
  '-infinity'::timestamptz as requested_at,
  '-infinity'::timestamptz as in_state_since,
  '-infinity'::timestamptz as progress_at,
  0::numeric as time_in_state_minutes,
  0::numeric as minutes_without_progress,
  0::numeric as task_age_minutes,
  0::integer as threshold_minutes,
  null::text as waits_for,
  ''::text as health_status,
  null::text as dlq_reason
where false;

comment on view tasker.task_staleness is
  'Row type: an open task, how long it has made no progress, and whether that is too long.';
comment on column tasker.task_staleness.progress_at is
  'The time when the task or one of its steps last changed, or was last attempted.';
comment on column tasker.task_staleness.threshold_minutes is
  'The number of minutes without progress after which the task is stale. A task for which something is due is not stale.';
comment on column tasker.task_staleness.waits_for is
  'The reason why the task is not stale although it has made no progress: lease, timer, namespace_paused, wait (a step is suspended), undo (the task is being undone), backlog (the handler is busy with other tasks'' steps). Null if there is no such reason, or if the time without progress is far below the threshold.';
comment on column tasker.task_staleness.health_status is
  'healthy, warning (more than four fifths of the threshold have passed) or stale.';
comment on column tasker.task_staleness.dlq_reason is
  'The reason why a stale task is stuck, in the words of tasker.tasks_dlq. Null while the task is not stale.';
