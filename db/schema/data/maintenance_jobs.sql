-- down: delete from tasker.maintenance_jobs;

insert into tasker.maintenance_jobs (job, position, interval_setting, description)
values
  ('partitions', 1, 'partition_seconds', 'Makes partitions ahead.'),
  ('rollups', 2, 'rollup_seconds', 'Brings totals and rollups of finished work up to date, and the order of waiting tasks.'),
  ('staleness', 3, 'staleness_seconds', 'Moves stale tasks to the dead-letter queue.'),
  ('analytics', 4, 'analytics_seconds', 'Refreshes the materialised views, merges and drops old rollups.');
