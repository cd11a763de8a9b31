create or replace view tasker.work_totals as
select
  ''::text as namespace_name,
  0::bigint as tasks_started,
  0::bigint as tasks_completed,
  0::bigint as tasks_failed,
  0::bigint as tasks_cancelled,
  0::bigint as tasks_resolved,
  0::bigint as tasks_reset,
  0::bigint as step_results,
  0::bigint as step_failures,
  0::double precision as execution_seconds
where false;

comment on view tasker.work_totals is
  'Row type: the totals of a namespace. The totals never decrease, so that they can serve as counters.';
comment on column tasker.work_totals.execution_seconds is
  'The total execution time in seconds that workers reported for the namespace''s results.';
