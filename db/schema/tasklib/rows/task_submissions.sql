create table tasklib.task_submissions (
  position  integer  not null,
  id        uuid     not null,
  created   boolean  not null,

  constraint task_submissions_row_type_check
    check (false) no inherit
);

comment on table tasklib.task_submissions is
  'Row type: what became of one submission; created is false if an earlier one with the same key had made the task.';

revoke all on table tasklib.task_submissions from public;
