-- GetStepAuditHistory returns every result that was recorded for a step, in order.
-- name: GetStepAuditHistory :many
select * from tasker.get_step_audit_history(@step_uuid);

-- PageStepAuditHistory returns a page of GetStepAuditHistory, before the result with this sort key. Nil means the first
-- page.
-- name: PageStepAuditHistory :many
select * from tasker.get_step_audit_history(@step_uuid, @max_rows, sqlc.narg('before_sort_key'));

-- GetTaskAuditHistory returns every result that was recorded for a task's steps, in the order of time.
-- name: GetTaskAuditHistory :many
select * from tasker.get_task_audit_history(@task_uuid, @max_rows);

-- PageTaskAuditHistory returns a page of GetTaskAuditHistory, after the result with this step number and sort
-- key. Nils mean the first page.
-- name: PageTaskAuditHistory :many
select * from tasker.get_task_audit_history(@task_uuid, @max_rows, sqlc.narg('after_step_no'), sqlc.narg('after_sort_key'));

-- GetAuditByWorker returns the results that a worker recorded, the newest first.
-- name: GetAuditByWorker :many
select * from tasker.get_audit_by_worker(@worker_uuid, @max_rows);

-- GetAuditByCorrelationID returns the results recorded for all tasks of a correlation id, in the order of time.
-- name: GetAuditByCorrelationID :many
select * from tasker.get_audit_by_correlation_id(@correlation_id, @max_rows);

-- GetAuditByTimeRange returns the recorded results in a range of time with their workers, newest first.
-- name: GetAuditByTimeRange :many
select * from tasker.get_audit_by_time_range(
  p_since => @since,
  p_until => sqlc.narg('until'),
  p_success => sqlc.narg('success'),
  p_namespace => sqlc.narg('namespace'),
  p_limit => sqlc.narg('limit'),
  p_offset => sqlc.narg('offset')
);

-- CheckIntegrity returns inconsistencies of the history or the audit. Only changes that bypass the engine can cause
-- such inconsistencies. An empty answer proves that there is none.
-- name: CheckIntegrity :many
select * from tasker.check_integrity(sqlc.narg('since'), sqlc.narg('until'), sqlc.narg('limit'));
