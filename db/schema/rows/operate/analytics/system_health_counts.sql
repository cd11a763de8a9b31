create or replace view tasker.system_health_counts as
select
  0::bigint as pending_tasks,
  0::bigint as initializing_tasks,
  0::bigint as enqueuing_steps_tasks,
  0::bigint as steps_in_process_tasks,
  0::bigint as evaluating_results_tasks,
  0::bigint as waiting_for_dependencies_tasks,
  0::bigint as waiting_for_retry_tasks,
  0::bigint as blocked_by_failures_tasks,
  0::bigint as complete_tasks,
  0::bigint as error_tasks,
  0::bigint as cancelled_tasks,
  0::bigint as resolved_manually_tasks,
  0::bigint as total_tasks,
  0::bigint as pending_steps,
  0::bigint as enqueued_steps,
  0::bigint as in_progress_steps,
  0::bigint as enqueued_for_orchestration_steps,
  0::bigint as enqueued_as_error_for_orchestration_steps,
  0::bigint as waiting_for_retry_steps,
  0::bigint as suspended_steps,
  0::bigint as complete_steps,
  0::bigint as error_steps,
  0::bigint as cancelled_steps,
  0::bigint as resolved_manually_steps,
  0::bigint as total_steps,
  0::bigint as active_connections,
  0::bigint as max_connections,
  0::bigint as waiting_tasks,
  0::double precision as oldest_waiting_seconds,
  0::bigint as pending_dlq_entries,
  0::bigint as kept_signals,
  0::bigint as unused_signals,
  0::bigint as retries_total,
  0::bigint as lost_leases_total,
  null::timestamptz as partitions_until,
  0::double precision as oldest_transaction_seconds,
  null::timestamptz as rolled_up_until,
  false::boolean as standby,
  null::double precision as standby_lag_seconds,
  0::bigint as diverged_steps,
  0::bigint as failing_timers,
  0::bigint as ending_tokens
where false;

comment on view tasker.system_health_counts is
  'Row type: how many tasks and steps are in each state, and the state of the engine. The counts of open work are of now, and the counts of finished work are as of rolled_up_until.';
comment on column tasker.system_health_counts.complete_tasks is
  'The number of completed tasks. This and all other counts of finished work cover the existing partitions.';
comment on column tasker.system_health_counts.pending_steps is
  'The number of pending steps. This and all other counts of unfinished steps cover open tasks only.';
comment on column tasker.system_health_counts.active_connections is
  'The number of connections to all databases of the server.';
comment on column tasker.system_health_counts.waiting_tasks is
  'The number of tasks that wait for an orchestrator, or that a direct call has changed and no call has advanced yet.';
comment on column tasker.system_health_counts.kept_signals is
  'The number of signals to open tasks that no step has taken yet. The newest 10,000 signals that no step has taken are counted.';
comment on column tasker.system_health_counts.unused_signals is
  'The number of signals to ended tasks that no step took, such as signals with a misspelt name. The newest 10,000 signals that no step has taken are counted.';
comment on column tasker.system_health_counts.partitions_until is
  'The end of the newest partition. Null if there are no partitions.';
comment on column tasker.system_health_counts.rolled_up_until is
  'The time until which finished work is counted. Null if it was never counted (see tasker.run_maintenance).';
comment on column tasker.system_health_counts.standby is
  'Whether this server is a standby, which serves only functions that read.';
comment on column tasker.system_health_counts.standby_lag_seconds is
  'The number of seconds that a standby is behind its primary. Null on a primary.';
comment on column tasker.system_health_counts.diverged_steps is
  'The number of suspended steps whose function diverged from its kept results, and which no worker with fitting code has run since.';
comment on column tasker.system_health_counts.failing_timers is
  'The number of timers whose firing failed. Each is tried again every minute. tasker.check_installation names one of them.';
comment on column tasker.system_health_counts.ending_tokens is
  'The number of tokens of tasker serve that end within a week. tasker.check_installation names them. 0 for a bound caller.';
comment on column tasker.system_health_counts.oldest_transaction_seconds is
  'The time for which the oldest transaction has been open, among the transactions that tasker_owner may see. With pg_read_all_stats, tasker_owner sees all sessions. Old transactions keep dead rows at the head of the queue.';
