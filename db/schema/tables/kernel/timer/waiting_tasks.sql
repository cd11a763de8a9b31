create table tasker.waiting_tasks (
  task_uuid         uuid              not null,
  priority          integer           not null  default 0,
  waiting_since     timestamptz       not null  default tasker.clock(),
  dispatch_rank     double precision  not null  default extract(epoch from tasker.clock()) / -36000,
  discovered_until  timestamptz,

  constraint waiting_tasks_pkey
    primary key (task_uuid)
) with (fillfactor = 80);

create index waiting_tasks_dispatch_idx
  on tasker.waiting_tasks (dispatch_rank desc, task_uuid)
  where discovered_until is null;

create index waiting_tasks_discovered_idx
  on tasker.waiting_tasks (discovered_until)
  where discovered_until is not null;

comment on index tasker.waiting_tasks_dispatch_idx is
  'Serves discovery and orchestrators: the next tasks by computed priority, without reading the tasks that are handed out.';
comment on index tasker.waiting_tasks_discovered_idx is
  'Serves the release of tasks whose discoverer did nothing.';

comment on table tasker.waiting_tasks is
  'Tasks whose start is deferred: only an orchestrator starts them. The table is small and not partitioned. A task that a direct call has touched is in timers instead, as advance_task.';
comment on column tasker.waiting_tasks.dispatch_rank is
  'Priority with age factored out, so that the order of two rows never changes with time. Computed by tasker.dispatch_rank, updated by maintenance.';
comment on column tasker.waiting_tasks.discovered_until is
  'The time until which the task is not handed out again. Null if the task is free.';
