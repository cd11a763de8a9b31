create table tasklib.task_outcomes (
  position  integer  not null,
  id        uuid     not null,
  outcome   text     not null,

  constraint task_outcomes_row_type_check
    check (false) no inherit
);

comment on table tasklib.task_outcomes is
  'Row type: what a report about a claimed task did. stale: the claim was lost before, and nothing was changed.';

revoke all on table tasklib.task_outcomes from public;
