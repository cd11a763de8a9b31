create table tasker.task_creations (
  position   integer  not null,
  task_uuid  uuid     not null,
  created    boolean  not null,

  constraint task_creations_row_type_check
    check (false) no inherit
);

comment on table tasker.task_creations is
  'Row type: the answer to one request for a task.';
comment on column tasker.task_creations.position is
  'The position of its context in the call, from 1.';
comment on column tasker.task_creations.created is
  'False if an earlier request created the task, whose UUID is returned.';

revoke all on table tasker.task_creations from public;
