create table tasker.tasks_dlq (
  dlq_entry_uuid        uuid               not null  default tasker.uuid_generate_v7(),
  task_uuid             uuid               not null,
  original_state        tasker.task_state  not null,
  dlq_reason            text               not null,
  dlq_timestamp         timestamptz        not null  default tasker.clock(),
  resolution_status     text               not null  default 'pending',
  resolution_timestamp  timestamptz,
  resolution_notes      text,
  resolved_by           text,
  task_snapshot         jsonb              not null,
  metadata              jsonb              not null  default '{}',

  constraint tasks_dlq_pkey
    primary key (dlq_entry_uuid),
  constraint tasks_dlq_dlq_reason_check
    check (dlq_reason in (
      'staleness_timeout', 'max_retries_exceeded', 'dependency_cycle_detected',
      'worker_unavailable', 'manual_dlq'
    )),
  constraint tasks_dlq_resolution_status_check
    check (resolution_status in ('pending', 'manually_resolved', 'permanently_failed', 'cancelled')),
  constraint tasks_dlq_resolution_check
    check ((resolution_status = 'pending') = (resolution_timestamp is null)),
  constraint tasks_dlq_task_snapshot_check
    check (jsonb_typeof(task_snapshot) = 'object')
);

create unique index tasks_dlq_one_investigation_key
  on tasker.tasks_dlq (task_uuid)
  where resolution_status = 'pending';

create index tasks_dlq_task_idx
  on tasker.tasks_dlq (task_uuid);

comment on index tasker.tasks_dlq_one_investigation_key is
  'Ensures that a task has at most one open investigation.';
comment on index tasker.tasks_dlq_task_idx is
  'Serves the history of a task''s investigations, and retention, which holds the ranges of pending investigations.';

comment on table tasker.tasks_dlq is
  'Investigations of tasks that did not make progress, each with a snapshot of the task.';
