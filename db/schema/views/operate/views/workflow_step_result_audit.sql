create or replace view tasker.workflow_step_result_audit as
select
  l.task_uuid,
  l.step_no,
  l.sort_key - u.after as sort_key,
  l.created_at as recorded_at,
  -- A caller that hands in another worker's result names that worker in the metadata, which were checked.
  coalesce((l.metadata ->> 'worker_uuid')::uuid, l.worker_uuid) as worker_uuid,
  coalesce(
    (l.metadata ->> 'correlation_id')::uuid,
    (select t.correlation_id from tasker.tasks as t where t.task_uuid = l.task_uuid)
  ) as correlation_id,
  l.path < 1000 as success,
  l.execution_time_ms::bigint as execution_time_ms,
  l.sort_key as row_key
from tasker.step_log as l
join tasker.step_log_paths as u
  on u.path = l.path
where u.event in ('EnqueueForOrchestration', 'CompleteManually');

comment on view tasker.workflow_step_result_audit is
  'Recorded results and who recorded them: the transitions of the step log whose event records a result, so that every result has its audit. This view is the only place that lists those events.';
comment on column tasker.workflow_step_result_audit.recorded_at is
  'When the log row was written. A range of it uses the log''s index.';
comment on column tasker.workflow_step_result_audit.success is
  'Paths from 1,000 on are those of results that failed; the log has an index of these rows.';
comment on column tasker.workflow_step_result_audit.row_key is
  'The key of the log row, by which a reader finds it.';
