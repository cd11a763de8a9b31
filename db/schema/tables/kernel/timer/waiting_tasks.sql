create table tasker.waiting_tasks (
  task_uuid         uuid              not null,
  priority          integer           not null  default 0,
  waiting_since     timestamptz       not null  default tasker.clock(),
  deferred          boolean           not null  default false,
  dispatch_rank     double precision  not null  default extract(epoch from tasker.clock()) / -36000,
  discovered_until  timestamptz,

  constraint waiting_tasks_pkey
    primary key (task_uuid)
) with (fillfactor = 80);

create index waiting_tasks_dispatch_idx
  on tasker.waiting_tasks (deferred, dispatch_rank desc, task_uuid)
  where discovered_until is null;

create index waiting_tasks_discovered_idx
  on tasker.waiting_tasks (discovered_until)
  where discovered_until is not null;

comment on index tasker.waiting_tasks_dispatch_idx is
  'Serves discovery, orchestrators, and workers for what is not deferred: the next tasks by computed priority, without reading those that are handed out.';
comment on index tasker.waiting_tasks_discovered_idx is
  'Serves the release of tasks whose discoverer did nothing.';

comment on table tasker.waiting_tasks is
  'Tasks that wait for an orchestrator: not started, or touched by a direct call and not yet evaluated. Small, not partitioned.';
comment on column tasker.waiting_tasks.deferred is
  'Only an orchestrator starts it; tasks that are not deferred are advanced by workers'' claims too.';
comment on column tasker.waiting_tasks.dispatch_rank is
  'Priority with age factored out, so that the order of two rows never changes with time. Computed by tasker.dispatch_rank, updated by maintenance.';
comment on column tasker.waiting_tasks.discovered_until is
  'Until when it is not handed out again; null: free. A copy of the task''s column, for the index.';
