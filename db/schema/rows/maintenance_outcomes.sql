create table tasker.maintenance_outcomes (
  done      bigint,
  more_due  boolean  not null,
  detail    text,

  constraint maintenance_outcomes_row_type_check
    check (false) no inherit
);

comment on table tasker.maintenance_outcomes is
  'Row type: the outcome of a maintenance job, as tasker.maintenance_jobs keeps it.';

revoke all on table tasker.maintenance_outcomes from public;
