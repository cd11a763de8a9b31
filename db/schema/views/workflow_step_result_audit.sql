create or replace view tasker.workflow_step_result_audit as
select
  l.task_uuid,
  l.step_no,
  l.sort_key,
  l.created_at as recorded_at,
  -- Who hands in another's result says in its metadata whose it is; a transition's metadata was checked.
  coalesce((l.metadata ->> 'worker_uuid')::uuid, l.worker_uuid) as worker_uuid,
  coalesce(
    (l.metadata ->> 'correlation_id')::uuid,
    (select t.correlation_id from tasker.tasks as t where t.task_uuid = l.task_uuid)
  ) as correlation_id,
  l.to_state <> 'enqueued_as_error_for_orchestration' as success,
  l.execution_time_ms
from tasker.workflow_step_transition_log as l
where l.event in ('EnqueueForOrchestration', 'CompleteManually');

comment on view tasker.workflow_step_result_audit is
  'Who recorded which result: the rows of the step log whose event brings a result, so that no result can be without its audit. The list of those events stands here and nowhere else.';
comment on column tasker.workflow_step_result_audit.recorded_at is
  'When the log''s row was written: a range of it is found through the index of the log.';

revoke all on table tasker.workflow_step_result_audit from public;
