-- CancelTask cancels a task for good. It returns false if the task was cancelled before, and ErrConflict if the task
-- has ended in another way.
-- name: CancelTask :one
select tasker.cancel_task(@task_uuid, sqlc.narg('reason'), sqlc.narg('actor'));

-- GiveUpTask lets a task that is blocked by failures fail for good. It returns false if the task had failed
-- before.
-- name: GiveUpTask :one
select tasker.give_up_task(@task_uuid, sqlc.narg('reason'), sqlc.narg('actor'));

-- ResolveTaskManually settles a task that is blocked by failures. It returns false if the task was resolved
-- before.
-- name: ResolveTaskManually :one
select tasker.resolve_task_manually(@task_uuid, sqlc.narg('reason'), sqlc.narg('actor'));

-- ResetTask gives the failed steps of a task all their attempts again and lets the task continue. It returns false if
-- no step has failed.
-- name: ResetTask :one
select tasker.reset_task(@task_uuid, sqlc.narg('reason'), sqlc.narg('actor'));

-- ResetTasks resets a batch of the tasks that match every filter given, or only finds them. An omitted filter matches
-- all.
-- name: ResetTasks :many
select * from tasker.reset_tasks(
  p_reason => @reason,
  p_state => @state,
  p_namespace => sqlc.narg('namespace'),
  p_name => sqlc.narg('name'),
  p_version => sqlc.narg('version'),
  p_tags => @tags::text[],
  p_requested_after => sqlc.narg('requested_after'),
  p_requested_before => sqlc.narg('requested_before'),
  p_after => sqlc.narg('after'),
  p_limit => @max_tasks,
  p_dry_run => @dry_run,
  p_actor => sqlc.narg('actor')
);

-- RetryStep lets a failed step run again. If the step waits for a retry, it runs at once. It returns false if the step
-- is about to run anyway.
-- name: RetryStep :one
select tasker.retry_step(@step_uuid, sqlc.narg('reason'), sqlc.narg('actor'));

-- ResolveStepManually settles a step without results. It returns false if the step was resolved before.
-- name: ResolveStepManually :one
select tasker.resolve_step_manually(@step_uuid, sqlc.narg('reason'), sqlc.narg('actor'));

-- CompleteStepManually completes a step with results. It returns false if the step was complete before.
-- name: CompleteStepManually :one
select tasker.complete_step_manually(@step_uuid, @results, sqlc.narg('reason'), sqlc.narg('actor'));

-- CompleteStepByName completes the step with this name in a task, unless the step still waits for other steps. It
-- returns false if the step was complete before.
-- name: CompleteStepByName :one
select tasker.complete_step_by_name(
  @task_uuid, @step_name, @results, sqlc.narg('reason'), sqlc.narg('actor'), sqlc.narg('early')
);

-- PauseTask keeps the steps of a task from starting until ResumeTask is called. Running steps continue to their ends.
-- It returns false if the task was paused before, and ErrConflict if the task has ended.
-- name: PauseTask :one
select tasker.pause_task(@task_uuid, sqlc.narg('reason'), sqlc.narg('actor'));

-- ResumeTask ends the pause of a task. It returns false if the task was not paused, and ErrConflict if the task has
-- ended.
-- name: ResumeTask :one
select tasker.resume_task(@task_uuid, sqlc.narg('reason'), sqlc.narg('actor'));

-- ChangeTask changes the priority, the start, the deadline or the context of a task that has not ended. An omitted
-- argument changes nothing. A new context needs a reason. It returns false if the task already has all given values,
-- and ErrConflict if the task cannot be changed in this way.
-- name: ChangeTask :one
select tasker.change_task(
  @task_uuid,
  p_priority => sqlc.narg('priority'),
  p_start_at => sqlc.narg('start_at'),
  p_deadline => sqlc.narg('deadline'),
  p_context => sqlc.narg('context'),
  p_reason => sqlc.narg('reason'),
  p_actor => sqlc.narg('actor')
);
