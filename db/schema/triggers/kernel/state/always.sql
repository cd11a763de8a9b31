-- down: nothing
-- Guards that refuse changes also fire on a replica: otherwise "set session_replication_role = replica" would allow
-- changes of the history. Triggers that check inserted rows do not fire there, because logical replication copies
-- tables in any order. A replaced trigger needs the setting again. tasker.check_integrity() finds triggers
-- without it.
alter table tasker.named_task_edges
  enable always trigger named_task_edges_check_update,
  enable always trigger named_task_edges_check_delete,
  enable always trigger named_task_edges_no_truncate;

alter table tasker.task_identities
  enable always trigger task_identities_refuse_delete;

alter table tasker.tasks
  enable always trigger tasks_refuse_delete,
  enable always trigger tasks_refuse_key_update;

alter table tasker.workflow_steps
  enable always trigger workflow_steps_refuse_delete,
  enable always trigger workflow_steps_refuse_key_update;

alter table tasker.kept_results
  enable always trigger kept_results_refuse_change;

alter table tasker.step_streams
  enable always trigger step_streams_refuse_delete;

alter table tasker.stream_items
  enable always trigger stream_items_refuse_change;

alter table tasker.tasks_dlq
  enable always trigger tasks_dlq_refuse_delete,
  enable always trigger tasks_dlq_refuse_key_update;

alter table tasker.task_signals
  enable always trigger task_signals_refuse_delete,
  enable always trigger task_signals_refuse_key_update;

alter table tasker.broadcasts
  enable always trigger broadcasts_refuse_key_update;

alter table tasker.settings
  enable always trigger settings_refuse_key_update;

alter table tasker.task_log
  enable always trigger task_log_append_only,
  enable always trigger task_log_no_truncate;

alter table tasker.step_log
  enable always trigger step_log_append_only,
  enable always trigger step_log_no_truncate;

alter table tasker.task_log_paths
  enable always trigger task_log_paths_append_only,
  enable always trigger task_log_paths_no_truncate;

alter table tasker.step_log_paths
  enable always trigger step_log_paths_append_only,
  enable always trigger step_log_paths_no_truncate;
