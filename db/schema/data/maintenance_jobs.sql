-- down: delete from tasker.maintenance_jobs;

insert into tasker.maintenance_jobs (job, position, interval_setting, worker_duty, description)
values
  ('partitions', 1, 'partition_seconds', true, 'Makes partitions ahead.'),
  ('rollups', 2, 'rollup_seconds', true, 'Brings totals and rollups of finished work up to date, and the order of waiting tasks.'),
  ('staleness', 3, 'staleness_seconds', false, 'Moves stale tasks to the dead-letter queue.'),
  ('analytics', 4, 'analytics_seconds', false, 'Refreshes the materialised views, merges and drops old rollups.'),
  ('retention', 5, 'retention_seconds', false, 'Drops partitions that have reached their age, one at a time.'),
  ('identities', 6, 'garbage_seconds', false, 'Forgets identities that have expired or whose task was dropped.'),
  ('archives', 7, 'garbage_seconds', false, 'Deletes archived messages of the engine''s queues that have reached their age.'),
  ('statistics', 8, 'statistics_seconds', true, 'Collects the planner''s statistics of partitioned tables, each once a day.'),
  ('schedules', 9, 'schedule_seconds', true, 'Brings back next runs of schedules that lie too far ahead, after the clock was put back or a time zone has changed.');
