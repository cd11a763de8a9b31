create table tasker.waiting_tasks (
  task_uuid      uuid         not null,
  priority       integer      not null  default 0,
  waiting_since  timestamptz  not null  default tasker.clock(),

  constraint waiting_tasks_pkey
    primary key (task_uuid)
) with (fillfactor = 80);

comment on table tasker.waiting_tasks is
  'Tasks that wait for an orchestrator: not started, or touched by a direct call and so to be evaluated. Small, not partitioned.';

revoke all on table tasker.waiting_tasks from public;
