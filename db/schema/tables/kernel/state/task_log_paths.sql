create table tasker.task_log_paths (
  path        tasker.task_path   not null,
  position    smallint           not null,
  after       smallint           not null,
  from_state  tasker.task_state  not null,
  event       text               not null,
  to_state    tasker.task_state  not null,
  shows       "char",
  constant    jsonb,

  constraint task_log_paths_pkey
    primary key (path, position),
  constraint task_log_paths_transition_fkey
    foreign key (from_state, event, to_state)
    references tasker.task_state_machine (from_state, event, to_state),
  constraint task_log_paths_shows_check
    check (shows in ('m', 'o', 'c', 'k') and (shows = 'k') = (constant is not null) or shows is null and constant is null)
);

create index task_log_paths_transition_idx
  on tasker.task_log_paths (from_state, event, to_state);

comment on index tasker.task_log_paths_transition_idx is
  'Serves the foreign key to task_state_machine, and the writers, which look up the path of one transition.';

comment on table tasker.task_log_paths is
  'The transitions of each path that the task log may name, in order. A path that is not here cannot be logged, and so no task can take that path. A row is never changed or deleted, because the log has only the number of a path.';
comment on column tasker.task_log_paths.after is
  'The number of transitions of the path that follow this one. The sort_key of the transition is the log row''s sort_key minus this number.';
comment on column tasker.task_log_paths.shows is
  'The metadata that the transition shows: m for the log row''s metadata, o for the log row''s outcome, c for the count in the outcome, k for the constant. Null if the transition shows no metadata.';
