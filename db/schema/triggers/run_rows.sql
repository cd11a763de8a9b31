-- For each statement: nothing is paid by those that change other columns. Partitions get them from the manager.
create or replace trigger tasks_refuse_delete
  before delete or truncate on tasker.tasks
  for each statement execute function tasker.refuse_run_change('tasks');

create or replace trigger tasks_refuse_key_update
  before update of
    task_uuid, named_task_uuid, requested_at, correlation_id, parent_correlation_id, identity_hash, initiator,
    source_system, headers, context
  on tasker.tasks
  for each statement execute function tasker.refuse_run_change('tasks');

create or replace trigger workflow_steps_refuse_delete
  before delete or truncate on tasker.workflow_steps
  for each statement execute function tasker.refuse_run_change('workflow_steps');

create or replace trigger workflow_steps_refuse_key_update
  before update of task_uuid, step_no, workflow_step_uuid, named_step_uuid, name, created_at, inputs
  on tasker.workflow_steps
  for each statement execute function tasker.refuse_run_change('workflow_steps');

create or replace trigger tasks_dlq_refuse_delete
  before delete or truncate on tasker.tasks_dlq
  for each statement execute function tasker.refuse_run_change('tasks_dlq');

create or replace trigger tasks_dlq_refuse_key_update
  before update of dlq_entry_uuid, task_uuid, original_state, dlq_reason, dlq_timestamp, task_snapshot on tasker.tasks_dlq
  for each statement execute function tasker.refuse_run_change('tasks_dlq');

create or replace trigger settings_refuse_key_update
  before update of name, kind, default_value, minimum, maximum on tasker.settings
  for each statement execute function tasker.refuse_run_change('settings');

create or replace trigger workflow_steps_check_insert
  after insert on tasker.workflow_steps
  referencing new table as new_rows
  for each statement execute function tasker.check_step_tasks();

comment on trigger tasks_refuse_delete on tasker.tasks is
  'A task goes with its partition only; session_replication_role does not switch this off.';
comment on trigger tasks_refuse_key_update on tasker.tasks is
  'What was asked for stays; its steps, history and queue rows know it by its key, without foreign keys.';
comment on trigger workflow_steps_refuse_delete on tasker.workflow_steps is
  'A step goes with its partition only; session_replication_role does not switch this off.';
comment on trigger workflow_steps_refuse_key_update on tasker.workflow_steps is
  'What the template gave it stays; its history, edges and queue row know it by its key, without foreign keys.';
comment on trigger tasks_dlq_refuse_delete on tasker.tasks_dlq is
  'Investigations stay; session_replication_role does not switch this off.';
comment on trigger tasks_dlq_refuse_key_update on tasker.tasks_dlq is
  'A snapshot stays as it was taken.';
comment on trigger settings_refuse_key_update on tasker.settings is
  'The bounds of a setting are this version''s.';
comment on trigger workflow_steps_check_insert on tasker.workflow_steps is
  'Stands for the foreign key to tasks, and holds the UUID to the key.';
