-- down: delete from tasker.settings as s where s.name in ('rollup_seconds', 'analytics_seconds', 'staleness_seconds', 'partition_seconds', 'retention_seconds', 'garbage_seconds', 'statistics_seconds', 'event_hours', 'rollup_days', 'stale_tasks_to_dlq');

insert into tasker.settings (name, kind, value, default_value, minimum, maximum, description)
select
  d.name,
  d.kind,
  d.value,
  d.value,
  d.minimum,
  d.maximum,
  d.description
from (values
  ('rollup_seconds', 'integer', '60', 1, 86400, 'How often maintenance updates the totals of finished work.'),
  ('analytics_seconds', 'integer', '900', 60, 86400, 'How often maintenance refreshes the materialised views behind the reports.'),
  ('staleness_seconds', 'integer', '300', 10, 86400, 'How often maintenance checks for stale tasks.'),
  ('partition_seconds', 'integer', '600', 10, 86400, 'How often maintenance checks whether partitions are missing.'),
  ('retention_seconds', 'integer', '300', 10, 86400, 'How often maintenance checks for partitions past their retention.'),
  ('garbage_seconds', 'integer', '300', 10, 86400, 'How often maintenance deletes unused identities and old archived messages.'),
  ('statistics_seconds', 'integer', '600', 10, 86400, 'How often maintenance checks whether statistics of partitioned tables are a day old.'),
  ('event_hours', 'integer', '168', 1, 87600, 'How long events are kept for waits that look back, in hours.'),
  ('rollup_days', 'integer', '90', 1, 3650, 'How long the rollups behind the reports are kept.'),
  ('stale_tasks_to_dlq', 'boolean', 'true', null, null, 'Whether maintenance moves stale tasks to the dead-letter queue. If off, they are only shown.')
) as d (name, kind, value, minimum, maximum, description);
