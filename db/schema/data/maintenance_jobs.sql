-- down: delete from tasker.maintenance_jobs;

insert into tasker.maintenance_jobs (job, position, interval_setting, description)
values
  ('partitions', 1, 'partition_seconds', 'Makes partitions ahead.'),
  ('rollups', 2, 'rollup_seconds', 'Brings totals and rollups of finished work up to date, and the order of waiting tasks.'),
  ('staleness', 3, 'staleness_seconds', 'Moves stale tasks to the dead-letter queue.'),
  ('analytics', 4, 'analytics_seconds', 'Refreshes the materialised views, merges and drops old rollups.'),
  ('retention', 5, 'retention_seconds', 'Drops partitions that have reached their age, one at a time.'),
  ('identities', 6, 'garbage_seconds', 'Forgets identities that have expired or whose task was dropped.'),
  ('archives', 7, 'garbage_seconds', 'Deletes archived messages of the engine''s queues that have reached their age.'),
  ('statistics', 8, 'statistics_seconds', 'Collects the planner''s statistics of partitioned tables, each once a day.');
