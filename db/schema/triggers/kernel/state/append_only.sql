-- Partitions inherit the row-level triggers; the partition manager adds the statement-level ones.
create or replace trigger task_transition_log_append_only
  before update or delete on tasker.task_transition_log
  for each row execute function tasker.refuse_log_change('task_transition_log');

create or replace trigger workflow_step_transition_log_append_only
  before update or delete on tasker.workflow_step_transition_log
  for each row execute function tasker.refuse_log_change('workflow_step_transition_log');

create or replace trigger task_transition_log_no_truncate
  before truncate on tasker.task_transition_log
  for each statement execute function tasker.refuse_log_change('task_transition_log');

create or replace trigger workflow_step_transition_log_no_truncate
  before truncate on tasker.workflow_step_transition_log
  for each statement execute function tasker.refuse_log_change('workflow_step_transition_log');

comment on trigger task_transition_log_append_only on tasker.task_transition_log is
  'Refuses every change of a row with TK403.';
comment on trigger workflow_step_transition_log_append_only on tasker.workflow_step_transition_log is
  'Refuses every change of a row with TK403.';
comment on trigger task_transition_log_no_truncate on tasker.task_transition_log is
  'Refuses to empty the table or one of its partitions with TK403.';
comment on trigger workflow_step_transition_log_no_truncate on tasker.workflow_step_transition_log is
  'Refuses to empty the table or one of its partitions with TK403.';
