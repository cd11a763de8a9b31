create table tasker.analytics_metrics (
  active_tasks_count       bigint       not null,
  total_namespaces_count   bigint       not null,
  unique_task_types_count  bigint       not null,
  system_health_score      numeric      not null,
  task_throughput          bigint       not null,
  completion_count         bigint       not null,
  error_count              bigint       not null,
  completion_rate          numeric      not null,
  error_rate               numeric      not null,
  avg_task_duration        numeric      not null,
  avg_step_duration        numeric      not null,
  step_throughput          bigint       not null,
  analysis_period_start    timestamptz  not null,
  calculated_at            timestamptz  not null,
  rolled_up_until          timestamptz,

  constraint analytics_metrics_row_type_check
    check (false) no inherit
);

comment on table tasker.analytics_metrics is
  'Row type: the work of a period.';
comment on column tasker.analytics_metrics.active_tasks_count is
  'Open tasks, now.';
comment on column tasker.analytics_metrics.unique_task_types_count is
  'Templates by namespace and name, whatever their versions.';
comment on column tasker.analytics_metrics.system_health_score is
  '0 to 1: half the share of tasks that are complete, three tenths the share that has not failed, two tenths the share of free connections. 1 without tasks.';
comment on column tasker.analytics_metrics.task_throughput is
  'Tasks that ended in the period, in any way.';
comment on column tasker.analytics_metrics.completion_rate is
  'The share of those that completed, 0 to 1; 0 if none ended.';
comment on column tasker.analytics_metrics.error_rate is
  'The share of those that ended in error, 0 to 1.';
comment on column tasker.analytics_metrics.avg_task_duration is
  'Seconds from start to end, of completed tasks.';
comment on column tasker.analytics_metrics.avg_step_duration is
  'Seconds of execution that workers reported, of results that have one.';
comment on column tasker.analytics_metrics.step_throughput is
  'Results of steps, failures included.';
comment on column tasker.analytics_metrics.rolled_up_until is
  'The time after it is not counted yet. Null: maintenance has never run.';

revoke all on table tasker.analytics_metrics from public;
