-- CalculateStalenessThreshold returns after how many minutes without progress a task in this state is stale.
-- The answer is nil for a terminal state.
-- name: CalculateStalenessThreshold :one
select * from tasker.calculate_staleness_threshold(@state, sqlc.narg('lifecycle'));

-- GetTaskStaleness returns the open tasks. Tasks that have made no progress for longest come first.
-- name: GetTaskStaleness :many
select * from tasker.get_task_staleness(sqlc.narg('health_status'), sqlc.narg('limit'));

-- GetStaleTasksForDLQ returns the tasks that have made no progress for too long.
-- name: GetStaleTasksForDLQ :many
select * from tasker.get_stale_tasks_for_dlq(
  p_limit => sqlc.narg('limit'),
  p_waiting_for_dependencies_minutes => sqlc.narg('waiting_for_dependencies_minutes'),
  p_waiting_for_retry_minutes => sqlc.narg('waiting_for_retry_minutes'),
  p_steps_in_process_minutes => sqlc.narg('steps_in_process_minutes'),
  p_other_minutes => sqlc.narg('other_minutes')
);

-- DetectAndTransitionStaleTasks moves stale tasks to the state error and into the dead-letter queue. It moves tasks
-- only if DryRun is false. Otherwise it returns the tasks that it would move.
-- name: DetectAndTransitionStaleTasks :many
select * from tasker.detect_and_transition_stale_tasks(
  p_dry_run => sqlc.narg('dry_run'),
  p_limit => sqlc.narg('limit'),
  p_waiting_for_dependencies_minutes => sqlc.narg('waiting_for_dependencies_minutes'),
  p_waiting_for_retry_minutes => sqlc.narg('waiting_for_retry_minutes'),
  p_steps_in_process_minutes => sqlc.narg('steps_in_process_minutes'),
  p_other_minutes => sqlc.narg('other_minutes')
);

-- CreateDLQEntry opens an investigation of a task, or finds the open investigation of the task, and returns
-- its UUID.
-- name: CreateDLQEntry :one
select tasker.create_dlq_entry(@task_uuid, sqlc.narg('reason'), sqlc.narg('notes'), sqlc.narg('metadata'));

-- ListDLQEntries returns investigations that match every filter given, newest first. An omitted filter matches all.
-- name: ListDLQEntries :many
select * from tasker.list_dlq_entries(
  p_resolution_status => sqlc.narg('resolution_status'),
  p_reason => sqlc.narg('reason'),
  p_namespace => sqlc.narg('namespace'),
  p_task_uuid => sqlc.narg('task_uuid'),
  p_before => sqlc.narg('before'),
  p_limit => sqlc.narg('limit')
);

-- GetDLQEntry returns an investigation with its snapshot. It returns ErrNotFound if no investigation has that
-- UUID.
-- name: GetDLQEntry :one
select * from tasker.get_dlq_entry(@entry_uuid);

-- ResolveDLQEntry ends an investigation. It returns false if the investigation had ended before.
-- name: ResolveDLQEntry :one
select tasker.resolve_dlq_entry(@entry_uuid, @resolution_status, sqlc.narg('notes'), p_actor => sqlc.narg('act_actor'));

-- RequeueDLQEntry ends an investigation and makes its task run again. It returns false if the investigation
-- had ended before.
-- name: RequeueDLQEntry :one
select tasker.requeue_dlq_entry(@entry_uuid, sqlc.narg('notes'), p_actor => sqlc.narg('act_actor'));

-- RequeueDLQEntries requeues a batch of the open investigations that match every filter given, or only finds them. An
-- omitted filter matches all.
-- name: RequeueDLQEntries :many
select * from tasker.requeue_dlq_entries(
  p_notes => @notes,
  p_reason => sqlc.narg('reason'),
  p_namespace => sqlc.narg('namespace'),
  p_after => sqlc.narg('after'),
  p_limit => @max_entries,
  p_dry_run => @dry_run,
  p_actor => sqlc.narg('act_actor')
);

-- GetDLQDashboard returns the dead-letter queue by reason.
-- name: GetDLQDashboard :many
select * from tasker.get_dlq_dashboard();

-- GetDLQInvestigationQueue returns the open investigations, the most urgent first.
-- name: GetDLQInvestigationQueue :many
select * from tasker.get_dlq_investigation_queue(sqlc.narg('limit'));
