create or replace view tasker.dlq_entries as
select
  '00000000-0000-0000-0000-000000000000'::uuid as dlq_entry_uuid,
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  null::text as namespace_name,
  null::text as task_name,
  null::text as task_version,
  'pending'::tasker.task_state as original_state,
  null::tasker.task_state as current_state,
  ''::text as dlq_reason,
  '-infinity'::timestamptz as dlq_timestamp,
  0::numeric as minutes_in_dlq,
  ''::text as resolution_status,
  null::timestamptz as resolution_timestamp,
  null::text as resolution_notes,
  null::text as resolved_by,
  '{}'::jsonb as metadata,
  null::jsonb as task_snapshot
where false;

comment on view tasker.dlq_entries is
  'Row type: an investigation of a task.';
comment on column tasker.dlq_entries.current_state is
  'The present state of the task. Null if retention has dropped the task.';
comment on column tasker.dlq_entries.minutes_in_dlq is
  'The number of minutes from the creation of the entry to its resolution, or until now if it is not resolved.';
comment on column tasker.dlq_entries.task_snapshot is
  'The task with its steps, edges and history as they were when the investigation was opened. Null in lists.';
