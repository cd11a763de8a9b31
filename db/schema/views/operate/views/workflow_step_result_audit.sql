create or replace view tasker.workflow_step_result_audit as
select
  l.task_uuid,
  l.step_no,
  l.sort_key,
  l.created_at as recorded_at,
  -- A caller that hands in another worker's result names that worker in the metadata, which were checked.
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
  'Recorded results and who recorded them: the rows of the step log whose event records a result, so that every result has its audit. This view is the only place that lists those events.';
comment on column tasker.workflow_step_result_audit.recorded_at is
  'When the log row was written. A range of it uses the log''s index.';
