create table tasker.runs (
  task_uuid        uuid         not null,
  named_task_uuid  uuid         not null,
  namespace        text         not null,
  name             text         not null,
  run_key          text         not null,
  state            text         not null  default 'waiting',
  rank             integer      not null  default 0,
  line_at          timestamptz  not null  default tasker.clock(),
  line_no          bigint       not null  generated always as identity,
  run_at           timestamptz,

  constraint runs_pkey
    primary key (task_uuid),
  constraint runs_state_check
    check (state in ('waiting', 'running', 'ended'))
) with (fillfactor = 80);

create index runs_line_idx
  on tasker.runs (namespace, name, run_key, state, rank desc, line_at, line_no);

comment on index tasker.runs_line_idx is
  'Serves the start of the next task of a key, and the count of the running tasks of the key.';

create index runs_running_idx
  on tasker.runs (run_at)
  where state = 'running';

comment on index tasker.runs_running_idx is
  'Serves the search of incidents for failed tasks that block their sequence. Such a task is among the tasks that have had their place longest.';

comment on table tasker.runs is
  'The open tasks of templates that bound their runs by key, and the failed tasks that block their sequence. A row is written under the task''s lock. A waiting task starts under the lock of its key (tasker.lock_run_key). The table is not partitioned.';
comment on column tasker.runs.name is
  'The name of the template. All versions of the template share the key.';
comment on column tasker.runs.state is
  'waiting: the task is in line. running: the task has one of the key''s places. ended: the task has given its place back, and the note that starts the next task (serve_run) has not been fired yet.';
comment on column tasker.runs.rank is
  'The rank of the task in the line: its priority, or 0 if the line is in the order of creation. Tasks of the same rank are in the order of time.';
comment on column tasker.runs.line_at is
  'The time when the task got in line. For a task that starts later, the requested time of its start.';
comment on column tasker.runs.line_no is
  'The order of the tasks that got in line at the same time.';
comment on column tasker.runs.run_at is
  'The time when the task got its place.';
