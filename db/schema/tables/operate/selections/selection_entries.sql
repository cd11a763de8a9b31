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
  'Serves mass actions: the next entries that wait, and the entries whose outcome is not known yet.';

comment on index tasker.selection_entries_task_idx is
  'Serves erasures: the selections that have a task.';

comment on table tasker.selection_entries is
  'The tasks, steps or dead letters of a selection, and the outcome of the mass action for each. The table has no foreign key to run tables, because retention drops their partitions.';
comment on column tasker.selection_entries.state is
  'waits: the action has not reached the entry; open: the action has acted on the entry, but the outcome is not known yet; passed; failed: the entry failed again; skipped: the action did not apply to the entry. An entry leaves the state waits only once, in the transaction that acts on it.';
comment on column tasker.selection_entries.tries is
  'The number of times that another transaction held the task when the action tried to act on the entry.';
comment on column tasker.selection_entries.watch is
  'The steps that decide the outcome of the entry. They had failed when the mass action reached the entry.';
comment on column tasker.selection_entries.result_uuid is
  'The task that a fork created for the entry.';
