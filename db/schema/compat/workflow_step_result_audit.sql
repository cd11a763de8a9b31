create or replace view tasker_compat.workflow_step_result_audit as
select
  tasker.transition_uuid(a.task_uuid, a.step_no, a.sort_key) as workflow_step_result_audit_uuid,
  tasker.step_uuid(a.task_uuid, a.step_no) as workflow_step_uuid,
  tasker.transition_uuid(a.task_uuid, a.step_no, a.sort_key) as workflow_step_transition_uuid,
  a.task_uuid,
  a.recorded_at,
  a.worker_uuid,
  a.correlation_id,
  a.success,
  a.execution_time_ms,
  a.recorded_at as created_at,
  a.recorded_at as updated_at
from tasker.workflow_step_result_audit as a;

comment on view tasker_compat.workflow_step_result_audit is
  'Recorded results and who recorded them, by the UUIDs of the step and of its transition. The UUID of the transition is also the identity of the row.';
