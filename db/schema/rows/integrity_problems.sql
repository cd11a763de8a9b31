create table tasker.integrity_problems (
  task_uuid  uuid,
  step_no    integer,
  sort_key   integer,
  object     text     not null,
  problem    text     not null,

  constraint integrity_problems_row_type_check
    check (false) no inherit
);

comment on table tasker.integrity_problems is
  'Row type: an inconsistency in history or audit that only a change that bypassed the engine can cause.';
comment on column tasker.integrity_problems.step_no is
  'Null if it concerns the task.';
comment on column tasker.integrity_problems.object is
  'The table in which it was found.';

revoke all on table tasker.integrity_problems from public;
