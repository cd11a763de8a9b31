create or replace view tasker.task_tree_nodes as
select
  0::integer as level,
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  null::uuid as parent_task_uuid,
  null::uuid as parent_step_uuid,
  null::text as parent_step,
  null::text as namespace,
  null::text as name,
  null::text as version,
  null::tasker.task_state as state,
  null::integer as total_steps,
  null::integer as open_steps,
  null::integer as suspended_steps,
  null::integer as failed_steps,
  null::timestamptz as requested_at,
  null::timestamptz as completed_at
where false;

comment on view tasker.task_tree_nodes is
  'Row type: a task in the tree of tasks that a task''s steps started.';
comment on column tasker.task_tree_nodes.level is
  'The depth in the tree: 0 for the requested task, 1 for the tasks that its steps started.';
comment on column tasker.task_tree_nodes.state is
  'The state of the task. Null if retention has dropped the task. All other columns that are read from the task''s row are then null, too.';
