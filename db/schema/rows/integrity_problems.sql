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
  'Row type: something that history or audit would not hold if nobody had gone round the engine.';
comment on column tasker.integrity_problems.step_no is
  'Null if it is about the task.';
comment on column tasker.integrity_problems.object is
  'The table that it was found in.';

revoke all on table tasker.integrity_problems from public;
