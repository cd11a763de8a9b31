create table tasklib.task_submissions (
  position  integer  not null,
  id        uuid     not null,
  created   boolean  not null,

  constraint task_submissions_row_type_check
    check (false) no inherit
);

comment on table tasklib.task_submissions is
  'Row type: the answer to one submission; created is false if an earlier one with the same key created the task.';

revoke all on table tasklib.task_submissions from public;
