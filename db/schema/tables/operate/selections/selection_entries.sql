create table tasker.selection_entries (
  selection_uuid  uuid         not null,
  entry_no        integer      not null,
  object_uuid     uuid         not null,
  task_uuid       uuid         not null,
  state           text         not null  default 'waits',
  tries           smallint     not null  default 0,
  acted_at        timestamptz,
  watch           integer[],
  result_uuid     uuid,
  note            text,

  constraint selection_entries_pkey
    primary key (selection_uuid, entry_no),
  constraint selection_entries_object_key
    unique (selection_uuid, object_uuid),
  constraint selection_entries_selection_uuid_fkey
    foreign key (selection_uuid) references tasker.selections (selection_uuid) on delete cascade,
  constraint selection_entries_state_check
    check (state in ('waits', 'open', 'passed', 'failed', 'skipped')),
  constraint selection_entries_acted_check
    check ((state in ('open', 'passed', 'failed')) = (acted_at is not null))
);

create index selection_entries_state_idx
  on tasker.selection_entries (selection_uuid, state, entry_no);

create index selection_entries_task_idx
  on tasker.selection_entries (task_uuid);

comment on index tasker.selection_entries_state_idx is
  'Serves mass actions: the next entries that wait, and the entries whose outcome is open.';

comment on index tasker.selection_entries_task_idx is
  'Serves erasures: the selections that have a task.';

comment on table tasker.selection_entries is
  'The tasks, steps or dead letters of a selection, and the outcome of the mass action for each. No foreign key leads to run tables, which are dropped by partition.';
comment on column tasker.selection_entries.state is
  'waits: not acted on; open: acted on, its outcome is not known; passed; failed: it failed again; skipped: the action did not apply to it. An entry leaves waits once, in the transaction that acts on it.';
comment on column tasker.selection_entries.tries is
  'The number of times that another transaction held the task when its turn came.';
comment on column tasker.selection_entries.watch is
  'The steps whose outcome is the outcome of the entry. They had failed when the mass action reached the entry.';
comment on column tasker.selection_entries.result_uuid is
  'The task that a fork has made.';
