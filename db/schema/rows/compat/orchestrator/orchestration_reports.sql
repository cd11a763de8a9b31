create or replace view tasker.orchestration_reports as
select
  0::integer as requests_processed,
  0::integer as timers_fired,
  0::integer as tasks_advanced,
  0::integer as steps_recovered,
  0::integer as results_processed,
  null::timestamptz as next_due_at
where false;

comment on view tasker.orchestration_reports is
  'Row type: the report of one call of tasker.orchestrate.';
comment on column tasker.orchestration_reports.timers_fired is
  'The number of timers that the call fired, including the notes of tasks that direct calls have changed.';
comment on column tasker.orchestration_reports.tasks_advanced is
  'The number of tasks with a deferred start that the call started.';
comment on column tasker.orchestration_reports.next_due_at is
  'The time when the next work is due. The time is now or in the past if some work is due already. Null if no work is scheduled.';
