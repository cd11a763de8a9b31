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
  'Due timers, among them the notes of tasks that direct calls have touched.';
comment on column tasker.orchestration_reports.tasks_advanced is
  'Tasks whose start was deferred and which the call started.';
comment on column tasker.orchestration_reports.next_due_at is
  'The time when the next work is due. Now or in the past if work is still due. Null if no work is scheduled.';
