create table tasklib.task_outcomes (
  position  integer  not null,
  id        uuid     not null,
  outcome   text     not null,

  constraint task_outcomes_row_type_check
    check (false) no inherit
);

comment on table tasklib.task_outcomes is
  'Row type: the outcome of a report about a claimed task. stale: the claim was already lost, and the task did not change.';

revoke all on table tasklib.task_outcomes from public;
