create table tasker.task_creations (
  position   integer  not null,
  task_uuid  uuid     not null,
  created    boolean  not null,

  constraint task_creations_row_type_check
    check (false) no inherit
);

comment on table tasker.task_creations is
  'Row type: what became of one request for a task.';
comment on column tasker.task_creations.position is
  'Which of the contexts of the call this is, from 1.';
comment on column tasker.task_creations.created is
  'False when an earlier request had made the task: task_uuid is the first one''s.';

revoke all on table tasker.task_creations from public;
