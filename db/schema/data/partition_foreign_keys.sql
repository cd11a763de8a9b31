-- down: delete from tasker.partition_foreign_keys;
-- Edges have none: tasker.check_step_edges does the same for a whole statement at once.
insert into tasker.partition_foreign_keys (table_name, columns, referenced_table, referenced_columns)
values
  ('workflow_steps', 'task_uuid', 'tasks', 'task_uuid');
