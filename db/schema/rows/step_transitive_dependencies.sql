create table tasker.step_transitive_dependencies (
  step_name           text               not null,
  workflow_step_uuid  uuid               not null,
  task_uuid           uuid               not null,
  distance            integer            not null,
  current_state       tasker.step_state  not null,
  processed           boolean            not null,
  results             jsonb,

  constraint step_transitive_dependencies_row_type_check
    check (false) no inherit
);

comment on table tasker.step_transitive_dependencies is
  'Row type: a step that another one depends on, directly or not.';
comment on column tasker.step_transitive_dependencies.distance is
  'The number of edges on the shortest path: 1 for a parent.';
comment on column tasker.step_transitive_dependencies.processed is
  'Whether it is complete or resolved manually.';

revoke all on table tasker.step_transitive_dependencies from public;
