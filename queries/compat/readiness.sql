-- CalculateBackoffDelay returns how many seconds a step waits after this number of attempts. If a value is
-- omitted, the setting applies.
-- name: CalculateBackoffDelay :one
select tasker.calculate_backoff_delay(
  @attempts, sqlc.narg('base_delay'), sqlc.narg('multiplier'), sqlc.narg('max_seconds')
);

-- GetStepReadinessStatus returns the steps of a task, and for each step whether it may run now. If step_uuids
-- is not nil, it returns only these steps. It returns ErrNotFound if the task does not exist.
-- name: GetStepReadinessStatus :many
select * from tasker.get_step_readiness_status(@task_uuid, @step_uuids::uuid[]);

-- GetStepReadinessStatusBatch returns the steps of many tasks, and for each step whether it may run now. A task
-- that does not exist has no rows.
-- name: GetStepReadinessStatusBatch :many
select * from tasker.get_step_readiness_status_batch(@task_uuids::uuid[]);

-- GetReadySteps returns the steps of a task that may run now. It returns ErrNotFound if the task does not
-- exist.
-- name: GetReadySteps :many
select * from tasker.get_ready_steps(@task_uuid);

-- CheckStepDependencies reports whether a step's parents have settled and its join is satisfied. It reads the
-- parents, not the step's counters. It returns ErrNotFound if the step does not exist.
-- name: CheckStepDependencies :one
select tasker.check_step_dependencies(@step_uuid);

-- EvaluateStepStateReadiness reports whether a step with these properties may run now.
-- name: EvaluateStepStateReadiness :one
select tasker.evaluate_step_state_readiness(
  @current_state, @processed, @in_process, @dependencies_satisfied, @retry_eligible, @retryable,
  sqlc.narg('next_retry_time')
);

-- CalculateStepNextRetryTime returns when a step may be tried again. The answer is nil if neither the last
-- attempt nor the failure has a time. If a limit is omitted, the setting applies.
-- name: CalculateStepNextRetryTime :one
select * from tasker.calculate_step_next_retry_time(
  sqlc.narg('backoff_request_seconds'), sqlc.narg('last_attempted_at'), sqlc.narg('failure_time'), @attempts,
  sqlc.narg('max_backoff_seconds'), sqlc.narg('backoff_multiplier')
);

-- SetStepBackoffAtomic sets how many seconds a failed step waits for its next attempt. It returns false if the
-- step neither waits for a retry nor is about to wait. It returns ErrNotFound if the step does not exist.
-- name: SetStepBackoffAtomic :one
select tasker.set_step_backoff_atomic(@step_uuid, @backoff_seconds);
