create or replace view tasker.workflow_step_result_audit as
select
  l.task_uuid,
  l.step_no,
  l.row_key - u.after as sort_key,
  l.recorded_at,
  l.worker_uuid,
  coalesce(
    l.correlation_id,
    (select t.correlation_id from tasker.tasks as t where t.task_uuid = l.task_uuid)
  ) as correlation_id,
  l.success,
  l.execution_time_ms,
  l.row_key,
  u.event,
  u.from_state,
  u.to_state
from tasker.step_result_log as l
join tasker.step_log_paths as u
  on u.path = l.path
 and u.position = 1; -- The first transition of a path records the result.

comment on view tasker.workflow_step_result_audit is
  'Recorded results and who recorded them: the transitions of the step log whose event records a result, so that every result has its audit.';
comment on column tasker.workflow_step_result_audit.recorded_at is
  'The time when the log row was written. A condition on a range of this column uses the log''s index.';
comment on column tasker.workflow_step_result_audit.row_key is
  'The key of the log row, by which a reader finds it.';
