create table tasker.work_totals (
  namespace_name     text              not null,
  tasks_started      bigint            not null,
  tasks_completed    bigint            not null,
  tasks_failed       bigint            not null,
  tasks_cancelled    bigint            not null,
  tasks_resolved     bigint            not null,
  tasks_reset        bigint            not null,
  step_results       bigint            not null,
  step_failures      bigint            not null,
  execution_seconds  double precision  not null,

  constraint work_totals_row_type_check
    check (false) no inherit
);

comment on table tasker.work_totals is
  'Row type: the totals of a namespace. The numbers only grow, for counters.';
comment on column tasker.work_totals.execution_seconds is
  'Time that workers reported for its results.';

revoke all on table tasker.work_totals from public;
