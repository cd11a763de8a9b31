create table tasker.system_health_counts (
  pending_tasks                              bigint            not null,
  initializing_tasks                         bigint            not null,
  enqueuing_steps_tasks                      bigint            not null,
  steps_in_process_tasks                     bigint            not null,
  evaluating_results_tasks                   bigint            not null,
  waiting_for_dependencies_tasks             bigint            not null,
  waiting_for_retry_tasks                    bigint            not null,
  blocked_by_failures_tasks                  bigint            not null,
  complete_tasks                             bigint            not null,
  error_tasks                                bigint            not null,
  cancelled_tasks                            bigint            not null,
  resolved_manually_tasks                    bigint            not null,
  total_tasks                                bigint            not null,
  pending_steps                              bigint            not null,
  enqueued_steps                             bigint            not null,
  in_progress_steps                          bigint            not null,
  enqueued_for_orchestration_steps           bigint            not null,
  enqueued_as_error_for_orchestration_steps  bigint            not null,
  waiting_for_retry_steps                    bigint            not null,
  suspended_steps                            bigint            not null,
  complete_steps                             bigint            not null,
  error_steps                                bigint            not null,
  cancelled_steps                            bigint            not null,
  resolved_manually_steps                    bigint            not null,
  total_steps                                bigint            not null,
  active_connections                         bigint            not null,
  max_connections                            bigint            not null,
  waiting_tasks                              bigint            not null,
  oldest_waiting_seconds                     double precision  not null,
  pending_dlq_entries                        bigint            not null,
  kept_signals                               bigint            not null,
  unused_signals                             bigint            not null,
  retries_total                              bigint            not null,
  lost_leases_total                          bigint            not null,
  partitions_until                           timestamptz,
  oldest_transaction_seconds                 double precision  not null,
  rolled_up_until                            timestamptz,
  standby                                    boolean           not null,
  standby_lag_seconds                        double precision,
  diverged_steps                             bigint            not null,

  constraint system_health_counts_row_type_check
    check (false) no inherit
);

comment on table tasker.system_health_counts is
  'Row type: how many tasks and steps are in each state, and the state of the engine. Open work is counted now, finished work as of rolled_up_until.';
comment on column tasker.system_health_counts.complete_tasks is
  'In the existing partitions, like all counts of finished work.';
comment on column tasker.system_health_counts.pending_steps is
  'Of open tasks, like all counts of unfinished steps.';
comment on column tasker.system_health_counts.active_connections is
  'Connections to all databases of the server.';
comment on column tasker.system_health_counts.waiting_tasks is
  'Tasks that wait for an orchestrator.';
comment on column tasker.system_health_counts.kept_signals is
  'Signals to open tasks that no step has taken yet; of the newest 10,000 that no step has taken.';
comment on column tasker.system_health_counts.unused_signals is
  'Signals to ended tasks that no step took, such as those with a misspelt name; of the newest 10,000 that no step has taken.';
comment on column tasker.system_health_counts.partitions_until is
  'How far partitions reach; null if there are none.';
comment on column tasker.system_health_counts.rolled_up_until is
  'Until when finished work is counted; null: never yet, see tasker.run_maintenance.';
comment on column tasker.system_health_counts.standby is
  'Whether this server is a standby, which serves only functions that read.';
comment on column tasker.system_health_counts.standby_lag_seconds is
  'How far a standby is behind its primary; null on a primary.';
comment on column tasker.system_health_counts.diverged_steps is
  'Suspended steps whose function asks for something else than it has kept: no worker with code that fits has run them yet.';
comment on column tasker.system_health_counts.oldest_transaction_seconds is
  'How long the oldest transaction has been open, of those that tasker_owner may see: all sessions, if it has pg_read_all_stats. Old transactions keep dead rows at the head of the queue.';

revoke all on table tasker.system_health_counts from public;
