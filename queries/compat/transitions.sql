-- TransitionStepStateAtomic compares and swaps the state of a step. If the step is in from_state, the call moves
-- it to to_state and returns true. Otherwise the call changes nothing and returns false.
-- name: TransitionStepStateAtomic :one
select tasker.transition_step_state_atomic(
  @step_uuid, @from_state, @to_state, sqlc.narg('processor_uuid'), @metadata
);

-- StepDependenciesMet reports whether a step's parents have settled and its join is satisfied.
-- name: StepDependenciesMet :one
select tasker.step_dependencies_met(@step_uuid);

-- StepNotInProgress reports whether no worker is running the step.
-- name: StepNotInProgress :one
select tasker.step_not_in_progress(@step_uuid);

-- StepHasAttemptsLeft reports whether a step may fail once more without failing for good.
-- name: StepHasAttemptsLeft :one
select tasker.step_has_attempts_left(@step_uuid);

-- StepCanBeRetried reports whether a step failed for good, or has finished its wait for a retry.
-- name: StepCanBeRetried :one
select tasker.step_can_be_retried(@step_uuid);

-- StepCanBeEnqueuedForOrchestration reports whether a worker may record the step's result.
-- name: StepCanBeEnqueuedForOrchestration :one
select tasker.step_can_be_enqueued_for_orchestration(@step_uuid);

-- StepCanBeCompletedFromOrchestration reports whether the step's result waits to be processed.
-- name: StepCanBeCompletedFromOrchestration :one
select tasker.step_can_be_completed_from_orchestration(@step_uuid);

-- StepCanBeFailedFromOrchestration reports whether the step's failure waits to be processed.
-- name: StepCanBeFailedFromOrchestration :one
select tasker.step_can_be_failed_from_orchestration(@step_uuid);

-- TransitionTaskStateAtomic compares and swaps the state of a task. If the task is in from_state, the call moves
-- it to to_state and returns true. Otherwise the call changes nothing and returns false.
-- name: TransitionTaskStateAtomic :one
select tasker.transition_task_state_atomic(
  @task_uuid, @from_state, @to_state, sqlc.narg('processor_uuid'), @metadata
);

-- TaskCanComplete reports whether every step of a task is done.
-- name: TaskCanComplete :one
select tasker.task_can_complete(@task_uuid);
