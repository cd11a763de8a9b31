-- down: delete from tasklib.settings;
insert into tasklib.settings (name, kind, value, default_value, minimum, maximum, description)
select
  d.name,
  d.kind,
  d.value,
  d.value,
  d.minimum,
  d.maximum,
  d.description
from (values
  ('max_retries', 'integer', '3', 0, 10000, 'Retries of a task whose name and submission do not say: 3 means at most 4 runs.'),
  ('base_retry_delay_seconds', 'numeric', '5', 0, 86400, 'Seconds before the first retry.'),
  ('retry_backoff_multiplier', 'numeric', '2', 1, 100, 'What each further retry multiplies the delay by: 5, 10, 20 seconds.'),
  ('max_retry_delay_seconds', 'integer', '86400', 0, 31536000, 'The longest delay before a retry, in seconds.'),
  ('retry_jitter', 'numeric', '0', 0, 1, 'The share of a delay that is random: 0.2 spreads it from 80 to 100 percent.'),
  ('lock_timeout_seconds', 'integer', '600', 1, 604800, 'How long a claimed task belongs to its worker without a renewal.'),
  ('default_task_timeout_seconds', 'integer', '0', 0, 31536000, 'How long a run may take if neither name nor submission says; 0 means no limit.'),
  ('kwargs_bytes', 'integer', '1048576', 2, 268435456, 'The largest arguments of one task, in bytes.'),
  ('result_bytes', 'integer', '1048576', 1, 268435456, 'The largest result of one task, in bytes.'),
  ('error_bytes', 'integer', '65536', 100, 16777216, 'How much of an error''s text is kept, in characters.'),
  ('completed_ttl_seconds', 'integer', '0', 0, 3153600000, 'How long completed and cancelled tasks are kept if their name does not say; 0 means for ever.'),
  ('failed_ttl_seconds', 'integer', '0', 0, 3153600000, 'How long failed tasks are kept if their name does not say; 0 means for ever.'),
  ('missed_tick_seconds', 'integer', '60', 1, 86400, 'A tick of a schedule that could not be kept for longer than this was missed.'),
  ('schedule_ticks', 'integer', '1000', 1, 100000, 'How many entries the history of one schedule keeps.'),
  ('audit_runs', 'boolean', 'true', null, null, 'Whether every run is recorded in task_runs: who ran what, from when to when, with which outcome.'),
  ('grants_required', 'boolean', 'false', null, null, 'Whether no worker may run a name without restrict_task, instead of every worker.')
) as d (name, kind, value, minimum, maximum, description);
