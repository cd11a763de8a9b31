create table tasker.task_tree_nodes (
  level             integer            not null,
  task_uuid         uuid               not null,
  parent_task_uuid  uuid,
  parent_step_uuid  uuid,
  parent_step       text,
  namespace         text,
  name              text,
  version           text,
  state             tasker.task_state,
  total_steps       integer,
  open_steps        integer,
  suspended_steps   integer,
  failed_steps      integer,
  requested_at      timestamptz,
  completed_at      timestamptz,

  constraint task_tree_nodes_row_type_check
    check (false) no inherit
);

comment on table tasker.task_tree_nodes is
  'Row type: a task in the tree of those that its steps started.';
comment on column tasker.task_tree_nodes.level is
  '0 for the task that was asked for, 1 for those that its steps started.';
comment on column tasker.task_tree_nodes.state is
  'Null, as all that follows from the task''s row, if the task is gone: retention has dropped it.';

revoke all on table tasker.task_tree_nodes from public;
