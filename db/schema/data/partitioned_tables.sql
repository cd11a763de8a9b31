-- down: delete from tasker.partitioned_tables;
-- Tasks and steps are updated in place. Their pages have free space, so that updates stay HOT. Logs are never
-- updated and need no such space.
insert into tasker.partitioned_tables (table_name, position, storage)
values
  ('tasks', 1,
   'fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05'),
  ('workflow_steps', 2,
   'fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05'),
  ('added_step_edges', 3,
   'fillfactor = 100, autovacuum_vacuum_insert_scale_factor = 0.2'),
  ('task_log', 4,
   'fillfactor = 100, autovacuum_vacuum_insert_scale_factor = 0.2'),
  ('step_log', 5,
   'fillfactor = 100, autovacuum_vacuum_insert_scale_factor = 0.2'),
  ('task_signals', 6,
   'fillfactor = 90, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05'),
  ('kept_results', 7,
   'fillfactor = 100, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05'),
  ('step_streams', 8,
   'fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05'),
  ('stream_items', 9,
   'fillfactor = 100, autovacuum_vacuum_insert_scale_factor = 0.2'),
  ('task_attributes', 10,
   'fillfactor = 90, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05');
