create or replace view tasker_compat.workflow_step_edges as
select
  tasker.transition_uuid(e.task_uuid, e.from_step_no, -e.to_step_no) as workflow_step_edge_uuid,
  e.task_uuid,
  tasker.step_uuid(e.task_uuid, e.from_step_no) as from_step_uuid,
  tasker.step_uuid(e.task_uuid, e.to_step_no) as to_step_uuid,
  e.name,
  e.condition,
  t.requested_at as created_at,
  t.requested_at as updated_at
from tasker.workflow_step_edges as e
join tasker.tasks as t
  on t.task_uuid = e.task_uuid;

comment on view tasker_compat.workflow_step_edges is
  'Dependencies by the UUIDs of the steps. The UUID of an edge is derived from its steps, and its time is that of the task.';
