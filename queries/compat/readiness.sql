-- CalculateBackoffDelay returns the seconds to wait after so many attempts; what is left out is the setting.
-- name: CalculateBackoffDelay :one
select tasker.calculate_backoff_delay(
  @attempts, sqlc.narg('base_delay'), sqlc.narg('multiplier'), sqlc.narg('max_seconds')
);

-- GetStepReadinessStatus returns the steps of a task, or those of step_uuids if it is not nil, each
-- with whether it may run now. ErrNotFound if there is no such task.
-- name: GetStepReadinessStatus :many
select * from tasker.get_step_readiness_status(@task_uuid, @step_uuids::uuid[]);

-- GetStepReadinessStatusBatch returns the steps of many tasks; a task that does not exist has none.
-- name: GetStepReadinessStatusBatch :many
select * from tasker.get_step_readiness_status_batch(@task_uuids::uuid[]);

-- GetReadySteps returns the steps of a task that may run now. ErrNotFound if there is no such task.
-- name: GetReadySteps :many
select * from tasker.get_ready_steps(@task_uuid);

-- CheckStepDependencies reports whether a step's parents have settled and its join holds, read from
-- the parents themselves. ErrNotFound if there is no such step.
-- name: CheckStepDependencies :one
select tasker.check_step_dependencies(@step_uuid);

-- EvaluateStepStateReadiness reports whether a step of which this is known may run now.
-- name: EvaluateStepStateReadiness :one
select tasker.evaluate_step_state_readiness(
  @current_state, @processed, @in_process, @dependencies_satisfied, @retry_eligible, @retryable,
  sqlc.narg('next_retry_time')
);

-- CalculateStepNextRetryTime returns when a step may be tried again, nil if there is no time to count
-- from; a limit that is left out is the setting.
-- name: CalculateStepNextRetryTime :one
select * from tasker.calculate_step_next_retry_time(
  sqlc.narg('backoff_request_seconds'), sqlc.narg('last_attempted_at'), sqlc.narg('failure_time'), @attempts,
  sqlc.narg('max_backoff_seconds'), sqlc.narg('backoff_multiplier')
);

-- SetStepBackoffAtomic makes a step that has failed wait this long for its next attempt; false if it
-- is neither waiting for a retry nor about to. ErrNotFound if there is no such step.
-- name: SetStepBackoffAtomic :one
select tasker.set_step_backoff_atomic(@step_uuid, @backoff_seconds);
