-- down: delete from tasker.settings as s where s.name in ('rollup_seconds', 'analytics_seconds', 'staleness_seconds', 'partition_seconds', 'retention_seconds', 'garbage_seconds', 'statistics_seconds', 'rollup_days', 'stale_tasks_to_dlq');

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
  ('rollup_seconds', 'integer', '60', 1, 86400, 'How often maintenance brings the totals of finished work up to date.'),
  ('analytics_seconds', 'integer', '900', 60, 86400, 'How often maintenance refreshes the materialised views behind the reports.'),
  ('staleness_seconds', 'integer', '300', 10, 86400, 'How often maintenance looks for stale tasks.'),
  ('partition_seconds', 'integer', '600', 10, 86400, 'How often maintenance looks whether partitions are to be made.'),
  ('retention_seconds', 'integer', '300', 10, 86400, 'How often maintenance looks whether partitions have reached their age.'),
  ('garbage_seconds', 'integer', '300', 10, 86400, 'How often maintenance looks for identities and archived messages that are of no use any more.'),
  ('statistics_seconds', 'integer', '600', 10, 86400, 'How often maintenance looks whether statistics of partitioned tables are a day old.'),
  ('rollup_days', 'integer', '90', 1, 3650, 'How long the rollups behind the reports are kept.'),
  ('stale_tasks_to_dlq', 'boolean', 'true', null, null, 'Whether maintenance moves stale tasks to the dead-letter queue. Off, they are only shown.')
) as d (name, kind, value, minimum, maximum, description);
