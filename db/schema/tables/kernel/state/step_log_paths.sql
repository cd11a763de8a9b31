create table tasker.step_log_paths (
  path         tasker.step_path   not null,
  position     smallint           not null,
  after        smallint           not null,
  start_state  tasker.step_state  not null,
  from_state   tasker.step_state  not null,
  event        text               not null,
  to_state     tasker.step_state  not null,

  constraint step_log_paths_pkey
    primary key (path, position),
  constraint step_log_paths_transition_fkey
    foreign key (from_state, event, to_state)
    references tasker.step_state_machine (from_state, event, to_state),
  constraint step_log_paths_first_check
    check (position > 1 or from_state = start_state)
);

create index step_log_paths_transition_idx
  on tasker.step_log_paths (from_state, event, to_state, start_state, after);

comment on index tasker.step_log_paths_transition_idx is
  'Serves the foreign key to step_state_machine, and the writers, which look a path up by its start and its last transition.';

comment on table tasker.step_log_paths is
  'The transitions of each path that the step log may name, in order. A path that is not here cannot be logged, and so no step can take that path. A row is never changed or deleted, because the log has only the number of a path.';
comment on column tasker.step_log_paths.after is
  'The number of transitions of the path that follow this one. The sort_key of the transition is the log row''s sort_key minus this number.';
