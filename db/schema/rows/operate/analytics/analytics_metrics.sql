create or replace view tasker.analytics_metrics as
select
  0::bigint as active_tasks_count,
  0::bigint as total_namespaces_count,
  0::bigint as unique_task_types_count,
  0::numeric as system_health_score,
  0::bigint as task_throughput,
  0::bigint as completion_count,
  0::bigint as error_count,
  0::numeric as completion_rate,
  0::numeric as error_rate,
  0::numeric as avg_task_duration,
  0::numeric as avg_step_duration,
  0::bigint as step_throughput,
  '-infinity'::timestamptz as analysis_period_start,
  '-infinity'::timestamptz as calculated_at,
  null::timestamptz as rolled_up_until
where false;

comment on view tasker.analytics_metrics is
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
  'The share of the ended tasks that completed, 0 to 1. 0 if no task ended.';
comment on column tasker.analytics_metrics.error_rate is
  'The share of the ended tasks that ended in error, 0 to 1.';
comment on column tasker.analytics_metrics.avg_task_duration is
  'Seconds from start to end, of completed tasks.';
comment on column tasker.analytics_metrics.avg_step_duration is
  'Seconds of execution that workers reported, for the results that have such a time.';
comment on column tasker.analytics_metrics.step_throughput is
  'Results of steps, including failures.';
comment on column tasker.analytics_metrics.rolled_up_until is
  'The time after this is not counted yet. Null if maintenance has never run.';
