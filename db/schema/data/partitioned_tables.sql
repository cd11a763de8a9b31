-- down: delete from tasker.partitioned_tables;
-- Tasks and steps are updated in place and leave room for it, so that updates stay HOT; logs are not.
insert into tasker.partitioned_tables (table_name, position, storage, row_check)
values
  ('tasks', 1,
   'fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05', 'check_task_row'),
  ('workflow_steps', 2,
   'fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05', 'check_step_row'),
  ('added_step_edges', 3,
   'fillfactor = 100, autovacuum_vacuum_insert_scale_factor = 0.2', null),
  ('task_log', 4,
   'fillfactor = 100, autovacuum_vacuum_insert_scale_factor = 0.2', null),
  ('step_log', 5,
   'fillfactor = 100, autovacuum_vacuum_insert_scale_factor = 0.2', null),
  ('task_signals', 6,
   'fillfactor = 90, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05', null),
  ('kept_results', 7,
   'fillfactor = 100, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05', null),
  ('step_streams', 8,
   'fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05', null),
  ('stream_items', 9,
   'fillfactor = 100, autovacuum_vacuum_insert_scale_factor = 0.2', null);
