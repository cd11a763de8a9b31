-- The triggers fire after the change, so that a refused change leaves no entry. The engine's own writes call no trigger function:
-- the trigger on updates of a subscription names columns, and the trigger on updates of a schedule has a condition.
create or replace trigger access_maps_log_change
  after insert or update or delete on tasker.access_maps
  for each row execute function tasker.log_administration();

create or replace trigger access_maps_log_truncate
  after truncate on tasker.access_maps
  for each statement execute function tasker.log_administration();

create or replace trigger access_sessions_log_change
  after insert or update of issuer, subject, email, signed_in_at, ends_at, ended_at, ended_by or delete on tasker.access_sessions
  for each row execute function tasker.log_administration();

create or replace trigger access_sessions_log_truncate
  after truncate on tasker.access_sessions
  for each statement execute function tasker.log_administration();

create or replace trigger access_tokens_log_change
  after insert or update or delete on tasker.access_tokens
  for each row execute function tasker.log_administration();

create or replace trigger access_tokens_log_truncate
  after truncate on tasker.access_tokens
  for each statement execute function tasker.log_administration();

create or replace trigger handler_pauses_log_change
  after insert or update or delete on tasker.handler_pauses
  for each row execute function tasker.log_administration();

create or replace trigger handler_pauses_log_truncate
  after truncate on tasker.handler_pauses
  for each statement execute function tasker.log_administration();

create or replace trigger incident_acknowledgements_log_change
  after insert or update or delete on tasker.incident_acknowledgements
  for each row execute function tasker.log_administration();

create or replace trigger incident_acknowledgements_log_truncate
  after truncate on tasker.incident_acknowledgements
  for each statement execute function tasker.log_administration();

create or replace trigger limit_bounds_log_change
  after insert or update or delete on tasker.limit_bounds
  for each row execute function tasker.log_administration();

create or replace trigger limit_bounds_log_truncate
  after truncate on tasker.limit_bounds
  for each statement execute function tasker.log_administration();

create or replace trigger limits_log_change
  after insert or update or delete on tasker.limits
  for each row execute function tasker.log_administration();

create or replace trigger limits_log_truncate
  after truncate on tasker.limits
  for each statement execute function tasker.log_administration();

create or replace trigger mass_actions_log_update
  after update of state, stopped_by, stopped_why, ended_at, arguments, reason on tasker.mass_actions
  for each row
  when (old.state <> new.state or (old.arguments, old.reason) is distinct from (new.arguments, new.reason))
  execute function tasker.log_administration();

create or replace trigger mass_actions_log_change
  after insert or delete on tasker.mass_actions
  for each row execute function tasker.log_administration();

create or replace trigger mass_actions_log_truncate
  after truncate on tasker.mass_actions
  for each statement execute function tasker.log_administration();

create or replace trigger named_tasks_log_change
  after insert or update or delete on tasker.named_tasks
  for each row execute function tasker.log_administration();

create or replace trigger named_tasks_log_truncate
  after truncate on tasker.named_tasks
  for each statement execute function tasker.log_administration();

create or replace trigger partition_config_log_change
  after insert or update or delete on tasker.partition_config
  for each row execute function tasker.log_administration();

create or replace trigger partition_config_log_truncate
  after truncate on tasker.partition_config
  for each statement execute function tasker.log_administration();

create or replace trigger partition_ranges_log_change
  after insert or update of starts_at, ends_at, suffix, evacuations or delete on tasker.partition_ranges
  for each row execute function tasker.log_administration();

create or replace trigger partition_ranges_log_truncate
  after truncate on tasker.partition_ranges
  for each statement execute function tasker.log_administration();

create or replace trigger retentions_log_change
  after insert or update or delete on tasker.retentions
  for each row execute function tasker.log_administration();

create or replace trigger retentions_log_truncate
  after truncate on tasker.retentions
  for each statement execute function tasker.log_administration();

create or replace trigger role_bindings_log_change
  after insert or update or delete on tasker.role_bindings
  for each row execute function tasker.log_administration();

create or replace trigger role_bindings_log_truncate
  after truncate on tasker.role_bindings
  for each statement execute function tasker.log_administration();

create or replace trigger sql_roles_log_change
  after insert or update or delete on tasker.sql_roles
  for each row execute function tasker.log_administration();

create or replace trigger sql_roles_log_truncate
  after truncate on tasker.sql_roles
  for each statement execute function tasker.log_administration();

create or replace trigger schedules_log_update
  after update on tasker.schedules
  for each row
  when (
    (old.task_name, old.task_version, old.cron, old.every_seconds, old.timezone, old.jitter_seconds, old.starts_at, old.ends_at, old.catch_up,
     old.catch_up_limit, old.overlap, old.context, old.priority, old.tags, old.deadline_seconds, old.paused_at, old.paused_by,
     old.backfill_until, old.updated_by, old.updated_at, old.creator_namespaces, old.namespace, old.schedule)
    is distinct from
    (new.task_name, new.task_version, new.cron, new.every_seconds, new.timezone, new.jitter_seconds, new.starts_at, new.ends_at, new.catch_up,
     new.catch_up_limit, new.overlap, new.context, new.priority, new.tags, new.deadline_seconds, new.paused_at, new.paused_by,
     new.backfill_until, new.updated_by, new.updated_at, new.creator_namespaces, new.namespace, new.schedule)
  )
  execute function tasker.log_administration();

create or replace trigger schedules_log_change
  after insert or delete on tasker.schedules
  for each row execute function tasker.log_administration();

create or replace trigger schedules_log_truncate
  after truncate on tasker.schedules
  for each statement execute function tasker.log_administration();

create or replace trigger settings_log_change
  after insert or update or delete on tasker.settings
  for each row execute function tasker.log_administration();

create or replace trigger settings_log_truncate
  after truncate on tasker.settings
  for each statement execute function tasker.log_administration();

create or replace trigger subscriptions_log_update
  after update of subscription, namespaces, templates, kinds, events, target, placed_at, updated_at, updated_by on tasker.subscriptions
  for each row execute function tasker.log_administration();

create or replace trigger subscriptions_log_change
  after insert or delete on tasker.subscriptions
  for each row execute function tasker.log_administration();

create or replace trigger subscriptions_log_truncate
  after truncate on tasker.subscriptions
  for each statement execute function tasker.log_administration();

create or replace trigger task_namespaces_log_change
  after insert or update or delete on tasker.task_namespaces
  for each row execute function tasker.log_administration();

create or replace trigger task_namespaces_log_truncate
  after truncate on tasker.task_namespaces
  for each statement execute function tasker.log_administration();

create or replace trigger administration_log_append_only
  before update or delete on tasker.administration_log
  for each row execute function tasker.refuse_log_change('administration_log');

create or replace trigger administration_log_no_truncate
  before truncate on tasker.administration_log
  for each statement execute function tasker.refuse_log_change('administration_log');

comment on trigger access_maps_log_change on tasker.access_maps is
  'Writes tasker.administration_log.';
comment on trigger access_maps_log_truncate on tasker.access_maps is
  'Writes tasker.administration_log.';
comment on trigger access_sessions_log_change on tasker.access_sessions is
  'Writes tasker.administration_log.';
comment on trigger access_sessions_log_truncate on tasker.access_sessions is
  'Writes tasker.administration_log.';
comment on trigger access_tokens_log_change on tasker.access_tokens is
  'Writes tasker.administration_log.';
comment on trigger access_tokens_log_truncate on tasker.access_tokens is
  'Writes tasker.administration_log.';
comment on trigger handler_pauses_log_change on tasker.handler_pauses is
  'Writes the object before and after the change into tasker.administration_log, with the caller and the reason.';
comment on trigger handler_pauses_log_truncate on tasker.handler_pauses is
  'Writes into tasker.administration_log that all rows were deleted.';
comment on trigger incident_acknowledgements_log_change on tasker.incident_acknowledgements is
  'Writes the object before and after the change into tasker.administration_log, with the caller and the reason.';
comment on trigger incident_acknowledgements_log_truncate on tasker.incident_acknowledgements is
  'Writes into tasker.administration_log that all rows were deleted.';
comment on trigger limit_bounds_log_change on tasker.limit_bounds is
  'Writes tasker.administration_log.';
comment on trigger limit_bounds_log_truncate on tasker.limit_bounds is
  'Writes tasker.administration_log.';
comment on trigger limits_log_change on tasker.limits is
  'Writes tasker.administration_log.';
comment on trigger limits_log_truncate on tasker.limits is
  'Writes tasker.administration_log.';
comment on trigger mass_actions_log_update on tasker.mass_actions is
  'Writes tasker.administration_log.';
comment on trigger mass_actions_log_change on tasker.mass_actions is
  'Writes tasker.administration_log.';
comment on trigger mass_actions_log_truncate on tasker.mass_actions is
  'Writes tasker.administration_log.';
comment on trigger named_tasks_log_change on tasker.named_tasks is
  'Writes tasker.administration_log.';
comment on trigger named_tasks_log_truncate on tasker.named_tasks is
  'Writes tasker.administration_log.';
comment on trigger partition_config_log_change on tasker.partition_config is
  'Writes tasker.administration_log.';
comment on trigger partition_config_log_truncate on tasker.partition_config is
  'Writes tasker.administration_log.';
comment on trigger partition_ranges_log_change on tasker.partition_ranges is
  'Writes tasker.administration_log.';
comment on trigger partition_ranges_log_truncate on tasker.partition_ranges is
  'Writes tasker.administration_log.';
comment on trigger retentions_log_change on tasker.retentions is
  'Writes tasker.administration_log.';
comment on trigger retentions_log_truncate on tasker.retentions is
  'Writes tasker.administration_log.';
comment on trigger role_bindings_log_change on tasker.role_bindings is
  'Writes tasker.administration_log.';
comment on trigger role_bindings_log_truncate on tasker.role_bindings is
  'Writes tasker.administration_log.';
comment on trigger sql_roles_log_change on tasker.sql_roles is
  'Writes tasker.administration_log.';
comment on trigger sql_roles_log_truncate on tasker.sql_roles is
  'Writes tasker.administration_log.';
comment on trigger schedules_log_update on tasker.schedules is
  'Writes tasker.administration_log.';
comment on trigger schedules_log_change on tasker.schedules is
  'Writes tasker.administration_log.';
comment on trigger schedules_log_truncate on tasker.schedules is
  'Writes tasker.administration_log.';
comment on trigger settings_log_change on tasker.settings is
  'Writes tasker.administration_log.';
comment on trigger settings_log_truncate on tasker.settings is
  'Writes tasker.administration_log.';
comment on trigger subscriptions_log_update on tasker.subscriptions is
  'Writes tasker.administration_log.';
comment on trigger subscriptions_log_change on tasker.subscriptions is
  'Writes tasker.administration_log.';
comment on trigger subscriptions_log_truncate on tasker.subscriptions is
  'Writes tasker.administration_log.';
comment on trigger task_namespaces_log_change on tasker.task_namespaces is
  'Writes tasker.administration_log.';
comment on trigger task_namespaces_log_truncate on tasker.task_namespaces is
  'Writes tasker.administration_log.';
comment on trigger administration_log_append_only on tasker.administration_log is
  'Refuses, with TK403, every change of a row.';
comment on trigger administration_log_no_truncate on tasker.administration_log is
  'Refuses, with TK403, to truncate the table.';
