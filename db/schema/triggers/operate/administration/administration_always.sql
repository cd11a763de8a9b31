-- down: nothing
-- Like the guards of tasks, these triggers also fire in sessions with session_replication_role = replica.
alter table tasker.access_maps
  enable always trigger access_maps_log_change,
  enable always trigger access_maps_log_truncate;

alter table tasker.access_sessions
  enable always trigger access_sessions_log_change,
  enable always trigger access_sessions_log_truncate;

alter table tasker.access_tokens
  enable always trigger access_tokens_log_change,
  enable always trigger access_tokens_log_truncate;

alter table tasker.handler_pauses
  enable always trigger handler_pauses_log_change,
  enable always trigger handler_pauses_log_truncate;

alter table tasker.incident_acknowledgements
  enable always trigger incident_acknowledgements_log_change,
  enable always trigger incident_acknowledgements_log_truncate;

alter table tasker.limit_bounds
  enable always trigger limit_bounds_log_change,
  enable always trigger limit_bounds_log_truncate;

alter table tasker.limits
  enable always trigger limits_log_change,
  enable always trigger limits_log_truncate;

alter table tasker.mass_actions
  enable always trigger mass_actions_log_update,
  enable always trigger mass_actions_log_change,
  enable always trigger mass_actions_log_truncate;

alter table tasker.named_tasks
  enable always trigger named_tasks_log_change,
  enable always trigger named_tasks_log_truncate;

alter table tasker.partition_config
  enable always trigger partition_config_log_change,
  enable always trigger partition_config_log_truncate;

alter table tasker.partition_ranges
  enable always trigger partition_ranges_log_change,
  enable always trigger partition_ranges_log_truncate;

alter table tasker.retentions
  enable always trigger retentions_log_change,
  enable always trigger retentions_log_truncate;

alter table tasker.role_bindings
  enable always trigger role_bindings_log_change,
  enable always trigger role_bindings_log_truncate;
alter table tasker.sql_roles
  enable always trigger sql_roles_log_change,
  enable always trigger sql_roles_log_truncate;

alter table tasker.schedules
  enable always trigger schedules_log_change,
  enable always trigger schedules_log_truncate,
  enable always trigger schedules_log_update;

alter table tasker.settings
  enable always trigger settings_log_change,
  enable always trigger settings_log_truncate;

alter table tasker.subscriptions
  enable always trigger subscriptions_log_change,
  enable always trigger subscriptions_log_truncate,
  enable always trigger subscriptions_log_update;

alter table tasker.task_namespaces
  enable always trigger task_namespaces_log_change,
  enable always trigger task_namespaces_log_truncate;

alter table tasker.administration_log
  enable always trigger administration_log_append_only,
  enable always trigger administration_log_no_truncate;
