create or replace trigger task_transition_log_check
  after insert on tasker.task_transition_log
  referencing new table as new_rows
  for each statement execute function tasker.check_task_transitions();

create or replace trigger workflow_step_transition_log_audit
  after insert on tasker.workflow_step_transition_log
  referencing new table as new_rows
  for each statement execute function tasker.audit_step_results();

create or replace trigger workflow_step_transition_log_check
  after insert on tasker.workflow_step_transition_log
  referencing new table as new_rows
  for each statement execute function tasker.check_step_transitions();

comment on trigger task_transition_log_check on tasker.task_transition_log is
  'Holds the log, and with it the task, to the state machine.';
comment on trigger workflow_step_transition_log_audit on tasker.workflow_step_transition_log is
  'No path can record a result without its audit row.';
comment on trigger workflow_step_transition_log_check on tasker.workflow_step_transition_log is
  'Holds the log, and with it the step, to the state machine.';
