-- The triggers are statement-level, so that updates of other columns cost nothing. The partition manager adds
-- these triggers to partitions.
create or replace trigger tasks_refuse_delete
  before delete or truncate on tasker.tasks
  for each statement execute function tasker.refuse_run_change('tasks');

create or replace trigger tasks_refuse_key_update
  before update of
    task_uuid, named_task_uuid, requested_at, correlation_id, parent_correlation_id, identity_hash, initiator,
    login, role, creator_namespaces, source_system, headers, context, parent_step_uuid, depth, erased_at
  on tasker.tasks
  for each statement execute function tasker.refuse_run_change('tasks');

create or replace trigger workflow_steps_refuse_delete
  before delete or truncate on tasker.workflow_steps
  for each statement execute function tasker.refuse_run_change('workflow_steps');

create or replace trigger workflow_steps_refuse_key_update
  before update of
    task_uuid, step_no, workflow_step_uuid, named_step_uuid, name, max_attempts, timeout_seconds, created_at, inputs, await,
    for_each, map_no, limit_no, limit_key
  on tasker.workflow_steps
  for each statement execute function tasker.refuse_run_change('workflow_steps');

create or replace trigger tasks_dlq_refuse_delete
  before delete or truncate on tasker.tasks_dlq
  for each statement execute function tasker.refuse_run_change('tasks_dlq');

create or replace trigger tasks_dlq_refuse_key_update
  before update of dlq_entry_uuid, task_uuid, original_state, dlq_reason, dlq_timestamp, task_snapshot on tasker.tasks_dlq
  for each statement execute function tasker.refuse_run_change('tasks_dlq');

create or replace trigger task_signals_refuse_delete
  before delete or truncate on tasker.task_signals
  for each statement execute function tasker.refuse_run_change('task_signals');

create or replace trigger task_signals_refuse_key_update
  before update of task_uuid, signal_no, name, payload, idempotency_key, sent_by, sent_at on tasker.task_signals
  for each statement execute function tasker.refuse_run_change('task_signals');

create or replace trigger broadcasts_refuse_key_update
  before update of event_uuid, namespace, name, key, payload, idempotency_key, sent_by, sent_at on tasker.broadcasts
  for each statement execute function tasker.refuse_run_change('broadcasts');

create or replace trigger settings_refuse_key_update
  before update of name, kind, default_value, minimum, maximum on tasker.settings
  for each statement execute function tasker.refuse_run_change('settings');

create or replace trigger workflow_steps_check_insert
  after insert on tasker.workflow_steps
  referencing new table as new_rows
  for each statement execute function tasker.check_step_tasks();

comment on trigger tasks_refuse_delete on tasker.tasks is
  'Refuses to delete tasks, which are only dropped with their partition. session_replication_role does not switch this trigger off.';
comment on trigger tasks_refuse_key_update on tasker.tasks is
  'Refuses to change the columns that the request set. Steps, history and queue rows refer to the key without foreign keys.';
comment on trigger workflow_steps_refuse_delete on tasker.workflow_steps is
  'Refuses to delete steps, which are only dropped with their partition. session_replication_role does not switch this trigger off.';
comment on trigger workflow_steps_refuse_key_update on tasker.workflow_steps is
  'Refuses to change the columns that the template set. History, edges and queue rows refer to the key without foreign keys.';
comment on trigger tasks_dlq_refuse_delete on tasker.tasks_dlq is
  'Refuses to delete investigations. session_replication_role does not switch this trigger off.';
comment on trigger tasks_dlq_refuse_key_update on tasker.tasks_dlq is
  'Refuses to change the snapshot of an investigation.';
comment on trigger task_signals_refuse_delete on tasker.task_signals is
  'Refuses to delete signals, which are only dropped with their partition. session_replication_role does not switch this trigger off.';
comment on trigger task_signals_refuse_key_update on tasker.task_signals is
  'Refuses to change a signal, except to add the step that takes it.';
comment on trigger broadcasts_refuse_key_update on tasker.broadcasts is
  'Refuses to change an event, except for the progress of its delivery.';
comment on trigger settings_refuse_key_update on tasker.settings is
  'Refuses to change the bounds of a setting, which only migrations change.';
comment on trigger workflow_steps_check_insert on tasker.workflow_steps is
  'Replaces the foreign key to tasks, and checks that the UUID matches the key and that the columns that never change are valid.';
