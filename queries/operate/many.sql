-- CancelTasks cancels a batch of open tasks, or only finds them. The tasks match every filter given, or are entries of
-- a selection.
-- name: CancelTasks :many
select * from tasker.cancel_tasks(
  p_reason => @reason,
  p_namespace => sqlc.narg('namespace'),
  p_name => sqlc.narg('name'),
  p_version => sqlc.narg('version'),
  p_state => sqlc.narg('state'),
  p_tags => @tags::text[],
  p_requested_after => sqlc.narg('requested_after'),
  p_requested_before => sqlc.narg('requested_before'),
  p_selection_uuid => sqlc.narg('selection_uuid'),
  p_after => sqlc.narg('after'),
  p_limit => @max_tasks,
  p_dry_run => @dry_run,
  p_actor => sqlc.narg('actor')
);

-- RetrySteps retries a batch of steps, or only finds them. The steps match every filter given, or are entries of a
-- selection.
-- name: RetrySteps :many
select * from tasker.retry_steps(
  p_reason => @reason,
  p_namespace => sqlc.narg('namespace'),
  p_name => sqlc.narg('name'),
  p_version => sqlc.narg('version'),
  p_step => sqlc.narg('step'),
  p_error => sqlc.narg('error'),
  p_state => sqlc.narg('state'),
  p_selection_uuid => sqlc.narg('selection_uuid'),
  p_after => sqlc.narg('after'),
  p_limit => @max_steps,
  p_dry_run => @dry_run,
  p_actor => sqlc.narg('actor')
);
