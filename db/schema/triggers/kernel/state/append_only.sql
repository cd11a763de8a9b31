-- Partitions inherit the row-level triggers. The partition manager adds the statement-level triggers.
create or replace trigger task_log_append_only
  before update or delete on tasker.task_log
  for each row execute function tasker.refuse_log_change('task_log');

create or replace trigger step_log_append_only
  before update or delete on tasker.step_log
  for each row execute function tasker.refuse_log_change('step_log');

create or replace trigger task_log_no_truncate
  before truncate on tasker.task_log
  for each statement execute function tasker.refuse_log_change('task_log');

create or replace trigger step_log_no_truncate
  before truncate on tasker.step_log
  for each statement execute function tasker.refuse_log_change('step_log');

comment on trigger task_log_append_only on tasker.task_log is
  'Refuses, with TK403, every change of a row.';
comment on trigger step_log_append_only on tasker.step_log is
  'Refuses, with TK403, every change of a row.';
comment on trigger task_log_no_truncate on tasker.task_log is
  'Refuses, with TK403, to truncate the table or one of its partitions.';
comment on trigger step_log_no_truncate on tasker.step_log is
  'Refuses, with TK403, to truncate the table or one of its partitions.';

-- The transitions of a path are history, too.
create or replace trigger task_log_paths_append_only
  before update or delete on tasker.task_log_paths
  for each row execute function tasker.refuse_log_change('task_log_paths');

create or replace trigger step_log_paths_append_only
  before update or delete on tasker.step_log_paths
  for each row execute function tasker.refuse_log_change('step_log_paths');

create or replace trigger task_log_paths_no_truncate
  before truncate on tasker.task_log_paths
  for each statement execute function tasker.refuse_log_change('task_log_paths');

create or replace trigger step_log_paths_no_truncate
  before truncate on tasker.step_log_paths
  for each statement execute function tasker.refuse_log_change('step_log_paths');

comment on trigger task_log_paths_append_only on tasker.task_log_paths is
  'Refuses, with TK403, every change of a row.';
comment on trigger step_log_paths_append_only on tasker.step_log_paths is
  'Refuses, with TK403, every change of a row.';
comment on trigger task_log_paths_no_truncate on tasker.task_log_paths is
  'Refuses, with TK403, to truncate the table.';
comment on trigger step_log_paths_no_truncate on tasker.step_log_paths is
  'Refuses, with TK403, to truncate the table.';
