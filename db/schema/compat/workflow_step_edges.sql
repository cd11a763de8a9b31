create or replace view tasker_compat.workflow_step_edges as
select
  e.task_uuid,
  tasker.step_uuid(e.task_uuid, e.from_step_no) as from_step_uuid,
  tasker.step_uuid(e.task_uuid, e.to_step_no) as to_step_uuid,
  e.name,
  e.condition
from tasker.workflow_step_edges as e;

comment on view tasker_compat.workflow_step_edges is
  'Dependencies by the UUIDs of the steps.';

revoke all on table tasker_compat.workflow_step_edges from public;
