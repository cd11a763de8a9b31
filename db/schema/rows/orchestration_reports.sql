create table tasker.orchestration_reports (
  requests_processed  integer      not null,
  timers_fired        integer      not null,
  tasks_advanced      integer      not null,
  steps_recovered     integer      not null,
  results_processed   integer      not null,
  next_due_at         timestamptz,

  constraint orchestration_reports_row_type_check
    check (false) no inherit
);

comment on table tasker.orchestration_reports is
  'Row type: what one call of tasker.orchestrate did.';
comment on column tasker.orchestration_reports.next_due_at is
  'When something will be due; now or in the past if something still is; null if nothing is scheduled.';

revoke all on table tasker.orchestration_reports from public;
