-- down: nothing
-- Log changes also in sessions where session_replication_role is replica.
alter table tasklib.registered_tasks
  enable always trigger registered_tasks_log_update,
  enable always trigger registered_tasks_log_change,
  enable always trigger registered_tasks_log_truncate;

alter table tasklib.schedules
  enable always trigger schedules_log_update,
  enable always trigger schedules_log_change,
  enable always trigger schedules_log_truncate;

alter table tasklib.settings
  enable always trigger settings_log_change,
  enable always trigger settings_log_truncate;
