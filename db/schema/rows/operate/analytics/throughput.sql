create or replace view tasker.throughput as
select
  '-infinity'::timestamptz as bucket_start,
  0::bigint as tasks_started,
  0::bigint as tasks_completed,
  0::bigint as tasks_failed,
  0::bigint as tasks_cancelled,
  0::bigint as tasks_resolved,
  0::bigint as step_results,
  0::bigint as step_failures,
  0::numeric as avg_task_seconds,
  0::numeric as avg_step_seconds
where false;

comment on view tasker.throughput is
  'Row type: the work of one period.';
comment on column tasker.throughput.avg_task_seconds is
  'The average number of seconds from the start to the end of the tasks that completed in the period. 0 if no task completed.';
comment on column tasker.throughput.step_results is
  'The number of results of steps, including failures.';
