-- down: delete from tasker.settings;
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
  ('backoff_base', 'numeric', '1', 0.001, 86400, 'Seconds before the first retry, before the multiplier.'),
  ('backoff_multiplier', 'numeric', '2', 1, 100, 'The factor by which each further attempt lengthens the wait.'),
  ('max_backoff_seconds', 'integer', '60', 0, 31536000, 'The longest wait between two attempts, in seconds.'),
  ('backoff_jitter', 'numeric', '0.2', 0, 1, 'The share of a wait that is random: 0.2 spreads it from 80 to 100 percent.'),
  ('lease_seconds', 'integer', '60', 1, 86400, 'How long a claimed step belongs to its worker without a renewal.'),
  ('max_attempts', 'integer', '3', 1, 10000, 'Attempts of a step whose template does not set them.'),
  ('max_lost', 'integer', '10', 1, 10000, 'How often a step may lose its worker before it fails as poison.'),
  ('result_bytes', 'integer', '1048576', 1, 268435456, 'The largest result of one step, in bytes.'),
  ('context_bytes', 'integer', '1048576', 2, 268435456, 'The largest context of one task, in bytes.'),
  ('kept_results', 'integer', '1000', 1, 65535, 'The most results that a durable function keeps before it continues with a new state.'),
  ('kept_bytes', 'integer', '4194304', 1024, 268435456, 'The most that a durable function keeps before it continues with a new state, in bytes.'),
  ('claim_bytes', 'integer', '16777216', 1024, 268435456, 'The most that one claim returns, in bytes.'),
  ('lane_weight_high', 'integer', '8', 1, 1000, 'Share of a claim for steps with a priority above 0.'),
  ('lane_weight_normal', 'integer', '4', 1, 1000, 'Share of a claim for steps with priority 0.'),
  ('lane_weight_low', 'integer', '1', 1, 1000, 'Share of a claim for steps with a priority below 0.'),
  ('priority_age_factor', 'numeric', '0.1', 0, 1000000, 'Priority that a waiting task gains each hour.'),
  ('priority_retry_factor', 'numeric', '1', 0, 1000000, 'Priority that a task gains with each retry of its steps.'),
  ('priority_deadline_factor', 'numeric', '10', 0, 1000000, 'Priority that a task gains as its deadline approaches.'),
  ('stale_waiting_for_dependencies_minutes', 'integer', '60', 1, 5256000, 'Minutes without progress after which a task that waits for dependencies is stale.'),
  ('stale_waiting_for_retry_minutes', 'integer', '30', 1, 5256000, 'Minutes without progress after which a task that waits for a retry is stale.'),
  ('stale_steps_in_process_minutes', 'integer', '30', 1, 5256000, 'Minutes without progress after which a task with running steps is stale.'),
  ('stale_other_minutes', 'integer', '1440', 1, 5256000, 'Minutes without progress after which a task in any other open state is stale.'),
  ('discovery_lease_seconds', 'integer', '30', 1, 86400, 'How long discovery does not hand out a task again.'),
  ('finalization_lease_seconds', 'integer', '30', 1, 86400, 'How long an orchestrator''s claim for finalization lasts.'),
  ('fallback_poll_seconds', 'integer', '30', 1, 86400, 'How often a client polls for work without a notification.'),
  ('enforce_processor_ownership', 'boolean', 'false', null, null, 'Whether direct callers must own a task in an active state to move it.'),
  ('uuid_tolerance_seconds', 'integer', '3600', 0, 86400, 'How far the time in a caller''s own task UUID may be from the server''s clock.')
) as d (name, kind, value, minimum, maximum, description);
