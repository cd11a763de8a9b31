create table tasker.step_dag_nodes (
  workflow_step_uuid   uuid     not null,
  task_uuid            uuid     not null,
  named_step_uuid      uuid     not null,
  name                 text     not null,
  parent_step_uuids    uuid[]   not null,
  child_step_uuids     uuid[]   not null,
  parent_count         integer  not null,
  child_count          integer  not null,
  is_root_step         boolean  not null,
  is_leaf_step         boolean  not null,
  min_depth_from_root  integer  not null,
  dependency_level     integer  not null,

  constraint step_dag_nodes_row_type_check
    check (false) no inherit
);

comment on table tasker.step_dag_nodes is
  'Row type: a step as a node of its task''s graph.';
comment on column tasker.step_dag_nodes.min_depth_from_root is
  'The length of the shortest path from a step without parents.';
comment on column tasker.step_dag_nodes.dependency_level is
  'The length of the longest path from a step without parents.';

revoke all on table tasker.step_dag_nodes from public;
