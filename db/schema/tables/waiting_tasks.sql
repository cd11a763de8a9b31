create table tasker.waiting_tasks (
  task_uuid      uuid         not null,
  priority       integer      not null  default 0,
  waiting_since  timestamptz  not null  default tasker.clock(),
  deferred       boolean      not null  default false,

  constraint waiting_tasks_pkey
    primary key (task_uuid)
) with (fillfactor = 80);

create index waiting_tasks_order_idx
  on tasker.waiting_tasks (deferred, priority desc, waiting_since);

comment on index tasker.waiting_tasks_order_idx is
  'Serves orchestrators, and workers for what is not deferred: the most urgent first.';

comment on table tasker.waiting_tasks is
  'Tasks that wait for an orchestrator: not started, or touched by a direct call and so to be evaluated. Small, not partitioned.';
comment on column tasker.waiting_tasks.deferred is
  'Its start was left to an orchestrator; what is not deferred a worker''s claim moves on as well.';

revoke all on table tasker.waiting_tasks from public;
