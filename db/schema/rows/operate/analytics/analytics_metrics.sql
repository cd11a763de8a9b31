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
  'The number of tasks that are open now.';
comment on column tasker.analytics_metrics.unique_task_types_count is
  'The number of templates. All versions of a template count as one.';
comment on column tasker.analytics_metrics.system_health_score is
  'A score from 0 to 1: the share of tasks that are complete with weight 0.5, the share of tasks that have not failed with weight 0.3, and the share of free connections with weight 0.2. 1 if there are no tasks.';
comment on column tasker.analytics_metrics.task_throughput is
  'The number of tasks that ended in the period, in any way.';
comment on column tasker.analytics_metrics.completion_rate is
  'The share of the ended tasks that completed, 0 to 1. 0 if no task ended.';
comment on column tasker.analytics_metrics.error_rate is
  'The share of the ended tasks that ended in error, 0 to 1.';
comment on column tasker.analytics_metrics.avg_task_duration is
  'The average number of seconds from the start to the end of completed tasks.';
comment on column tasker.analytics_metrics.avg_step_duration is
  'The average execution time in seconds, over the results for which a worker reported a time.';
comment on column tasker.analytics_metrics.step_throughput is
  'The number of results of steps, including failures.';
comment on column tasker.analytics_metrics.rolled_up_until is
  'The time until which work is counted. Null if maintenance has never run.';
