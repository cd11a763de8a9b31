-- Triggers that log changes of names, schedules and settings in tasker.administration_log. The triggers for updates do not
-- name the columns that submissions and ticks write.
create or replace trigger registered_tasks_log_update
  after update of name, updated_at, description, max_retries, timeout_seconds, base_retry_delay_seconds, retry_backoff_multiplier, completed_ttl_seconds,
    failed_ttl_seconds, concurrency_limit, rate_limit, rate_period_seconds, breaker_failures, breaker_seconds, key_concurrency_limit,
    key_rate_limit, key_rate_period_seconds, allowed_roles, paused_at, paused_by on tasklib.registered_tasks
  for each row execute function tasker.log_administration();

create or replace trigger registered_tasks_log_change
  after insert or delete on tasklib.registered_tasks
  for each row execute function tasker.log_administration();

create or replace trigger registered_tasks_log_truncate
  after truncate on tasklib.registered_tasks
  for each statement execute function tasker.log_administration();

create or replace trigger schedules_log_update
  after update of schedule, name, cron, timezone, missed, priority, max_retries, timeout_seconds, kwargs, tags, created_at, created_by on tasklib.schedules
  for each row execute function tasker.log_administration();

create or replace trigger schedules_log_change
  after insert or delete on tasklib.schedules
  for each row execute function tasker.log_administration();

create or replace trigger schedules_log_truncate
  after truncate on tasklib.schedules
  for each statement execute function tasker.log_administration();

create or replace trigger settings_log_change
  after insert or update or delete on tasklib.settings
  for each row execute function tasker.log_administration();

create or replace trigger settings_log_truncate
  after truncate on tasklib.settings
  for each statement execute function tasker.log_administration();

comment on trigger registered_tasks_log_update on tasklib.registered_tasks is
  'Writes tasker.administration_log.';
comment on trigger registered_tasks_log_change on tasklib.registered_tasks is
  'Writes tasker.administration_log.';
comment on trigger registered_tasks_log_truncate on tasklib.registered_tasks is
  'Writes tasker.administration_log.';
comment on trigger schedules_log_update on tasklib.schedules is
  'Writes tasker.administration_log.';
comment on trigger schedules_log_change on tasklib.schedules is
  'Writes tasker.administration_log.';
comment on trigger schedules_log_truncate on tasklib.schedules is
  'Writes tasker.administration_log.';
comment on trigger settings_log_change on tasklib.settings is
  'Writes tasker.administration_log.';
comment on trigger settings_log_truncate on tasklib.settings is
  'Writes tasker.administration_log.';
