create table tasker.dependency_levels (
  workflow_step_uuid  uuid     not null,
  dependency_level    integer  not null,

  constraint dependency_levels_row_type_check
    check (false) no inherit
);

comment on table tasker.dependency_levels is
  'Row type: a step and its level in its task''s graph.';
comment on column tasker.dependency_levels.dependency_level is
  'The length of the longest path from a step without parents, which is on level 0. Steps of one level do not depend on one another.';

revoke all on table tasker.dependency_levels from public;
