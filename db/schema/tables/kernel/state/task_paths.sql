create table tasker.task_paths (
  outcome         text               not null,
  start_state     tasker.task_state  not null,
  position        smallint           not null,
  from_state      tasker.task_state  not null,
  event           text               not null,
  to_state        tasker.task_state  not null,
  last            boolean            not null,
  path            tasker.task_path   not null,
  metadata_event  text,
  outcome_event   text,

  constraint task_paths_pkey
    primary key (outcome, start_state, position),
  constraint task_paths_transition_fkey
    foreign key (from_state, event, to_state)
    references tasker.task_state_machine (from_state, event, to_state),
  constraint task_paths_outcome_check
    check (outcome in ('complete', 'enqueued', 'running', 'retrying', 'blocked', 'failed', 'waiting')),
  constraint task_paths_first_check
    check (position > 1 or from_state = start_state)
);

create index task_paths_transition_idx
  on tasker.task_paths (from_state, event, to_state);

comment on index tasker.task_paths_transition_idx is
  'Serves the foreign key to task_state_machine.';

comment on table tasker.task_paths is
  'How a task moves when it is evaluated: the transitions for each outcome and each state of the task. If there is no row, the task stays in its state.';
comment on column tasker.task_paths.outcome is
  'complete: every step is done; enqueued: some steps were just enqueued; running: steps are in the processing pipeline, but none was just enqueued; retrying: the only steps that can still move wait for a retry; blocked: a step has failed and no step can move; failed: as blocked, but the template has on_failure: fail; waiting: open steps remain, but none is ready.';
comment on column tasker.task_paths.path is
  'The number of the whole path, which the task log stores.';
comment on column tasker.task_paths.metadata_event is
  'The event of the path whose metadata (tasker.task_move_metadata) the log row has as metadata.';
comment on column tasker.task_paths.outcome_event is
  'The event of the path whose metadata the log row has as outcome.';
