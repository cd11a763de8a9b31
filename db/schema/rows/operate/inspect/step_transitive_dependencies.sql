create or replace view tasker.step_transitive_dependencies as
select
  ''::text as step_name,
  '00000000-0000-0000-0000-000000000000'::uuid as workflow_step_uuid,
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  0::integer as distance,
  'pending'::tasker.step_state as current_state,
  false::boolean as processed,
  null::jsonb as results
where false;

comment on view tasker.step_transitive_dependencies is
  'Row type: a step that another step depends on, directly or not.';
comment on column tasker.step_transitive_dependencies.distance is
  'The number of edges on the shortest path: 1 for a parent.';
comment on column tasker.step_transitive_dependencies.processed is
  'Whether the step is complete or resolved manually.';
