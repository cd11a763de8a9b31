create table tasker.dlq_entries (
  dlq_entry_uuid        uuid               not null,
  task_uuid             uuid               not null,
  namespace_name        text,
  task_name             text,
  task_version          text,
  original_state        tasker.task_state  not null,
  current_state         tasker.task_state,
  dlq_reason            text               not null,
  dlq_timestamp         timestamptz        not null,
  minutes_in_dlq        numeric            not null,
  resolution_status     text               not null,
  resolution_timestamp  timestamptz,
  resolution_notes      text,
  resolved_by           text,
  metadata              jsonb              not null,
  task_snapshot         jsonb,

  constraint dlq_entries_row_type_check
    check (false) no inherit
);

comment on table tasker.dlq_entries is
  'Row type: an investigation of a task.';
comment on column tasker.dlq_entries.current_state is
  'The state that the task is in now; null once retention has dropped it.';
comment on column tasker.dlq_entries.minutes_in_dlq is
  'Until now, or until it was resolved.';
comment on column tasker.dlq_entries.task_snapshot is
  'The task, its steps, edges and history when the investigation was opened. Null in lists.';

revoke all on table tasker.dlq_entries from public;
