create or replace view tasker.step_result_audit
  with (security_barrier = true)
as
select
  a.task_uuid,
  tasker.step_uuid(a.task_uuid, a.step_no) as workflow_step_uuid,
  tasker.transition_uuid(a.task_uuid, a.step_no, a.sort_key) as workflow_step_transition_uuid,
  a.recorded_at,
  a.worker_uuid,
  a.correlation_id,
  a.success,
  a.execution_time_ms
from tasker.workflow_step_result_audit as a
where ((select tasker.bound_namespaces()) is null or tasker.may_see_task(a.task_uuid));

comment on view tasker.step_result_audit is
  'Recorded results and who recorded them, by the UUIDs of the step and of its transition. A bound caller sees only its namespaces.';

grant select on table tasker.step_result_audit to tasker_orchestrator, tasker_operator, tasker_reader;
