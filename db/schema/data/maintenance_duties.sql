-- down: delete from tasker.maintenance_duties;

insert into tasker.maintenance_duties (duty, position, interval_setting, worker_duty, description)
values
  ('partitions', 1, 'partition_seconds', true, 'Creates partitions ahead.'),
  ('rollups', 2, 'rollup_seconds', true, 'Updates totals and rollups of finished work, and the order of waiting tasks.'),
  ('staleness', 3, 'staleness_seconds', false, 'Moves stale tasks to the dead-letter queue.'),
  ('analytics', 4, 'analytics_seconds', false, 'Refreshes the materialised views, merges and deletes old rollups.'),
  ('retention', 5, 'retention_seconds', false, 'Drops partitions past their retention, one range at a time.'),
  ('identities', 6, 'garbage_seconds', false, 'Deletes identities that have expired or whose task was dropped, and events past their retention.'),
  ('archives', 7, 'garbage_seconds', false, 'Deletes archived messages of the engine''s queues past their retention.'),
  ('statistics', 8, 'statistics_seconds', true, 'Collects the planner''s statistics of partitioned tables, each once a day.'),
  ('schedules', 9, 'schedule_seconds', true, 'Moves next runs of schedules back that lie too far ahead after a change of the clock or a time zone.'),
  ('incidents', 10, 'incident_seconds', true, 'Reads new failures, and judges what is wrong.'),
  ('mass_actions', 11, 'mass_action_seconds', false, 'Acts on the next entries of mass actions, and reads the outcomes of those before.');
