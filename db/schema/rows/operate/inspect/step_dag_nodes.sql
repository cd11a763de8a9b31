create or replace view tasker.step_dag_nodes as
select
  '00000000-0000-0000-0000-000000000000'::uuid as workflow_step_uuid,
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  '00000000-0000-0000-0000-000000000000'::uuid as named_step_uuid,
  ''::text as name,
  '{}'::uuid[] as parent_step_uuids,
  '{}'::uuid[] as child_step_uuids,
  0::integer as parent_count,
  0::integer as child_count,
  false::boolean as is_root_step,
  false::boolean as is_leaf_step,
  0::integer as min_depth_from_root,
  0::integer as dependency_level,
  '{}'::text[] as parent_outcomes
where false;

comment on view tasker.step_dag_nodes is
  'Row type: a step as a node of its task''s graph.';
comment on column tasker.step_dag_nodes.min_depth_from_root is
  'The length of the shortest path from a step without parents.';
comment on column tasker.step_dag_nodes.dependency_level is
  'The length of the longest path from a step without parents.';
comment on column tasker.step_dag_nodes.parent_outcomes is
  'The outcome of each parent that the step waits for: complete, failed or ended. The outcomes are in the order of parent_step_uuids.';
