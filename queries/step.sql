-- GetCurrentStepState returns the state that a step is in, ErrNotFound if there is no such step.
-- name: GetCurrentStepState :one
select tasker.get_current_step_state(@step_uuid);

-- TransitionStepStateAtomic is compare and swap: it moves a step from one state to another and
-- returns true, or returns false with nothing changed if the step is in another state.
-- name: TransitionStepStateAtomic :one
select tasker.transition_step_state_atomic(
  @step_uuid, @from_state, @to_state, sqlc.narg('processor_uuid'), @metadata
);

-- StepNoOf returns the number of a step in its task. It looks nothing up.
-- name: StepNoOf :one
select tasker.step_no_of(@step_uuid);

-- StepUUID returns the UUID of a task's step by its number. It looks nothing up.
-- name: StepUUID :one
select * from tasker.step_uuid(@task_uuid, @step_no);

-- StepDependenciesMet reports whether a step's parents have settled and its join is satisfied.
-- name: StepDependenciesMet :one
select tasker.step_dependencies_met(@step_uuid);

-- StepNotInProgress reports whether no worker has the step.
-- name: StepNotInProgress :one
select tasker.step_not_in_progress(@step_uuid);

-- StepHasAttemptsLeft reports whether a step may fail once more without failing for good.
-- name: StepHasAttemptsLeft :one
select tasker.step_has_attempts_left(@step_uuid);

-- StepCanBeRetried reports whether a step failed for good or its wait for a retry is over.
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

-- ListStepStates returns the states of a step with what each of them means.
-- name: ListStepStates :many
select * from tasker.list_step_states();

-- ListStepTransitions returns every transition that a step may make.
-- name: ListStepTransitions :many
select * from tasker.list_step_transitions();

-- StepStateIsTerminal reports whether a step in this state has ended.
-- name: StepStateIsTerminal :one
select tasker.step_state_is_terminal(@state);

-- StepStateIsError reports whether a step in this state failed for good.
-- name: StepStateIsError :one
select tasker.step_state_is_error(@state);

-- StepStateIsActive reports whether a worker has a step in this state.
-- name: StepStateIsActive :one
select tasker.step_state_is_active(@state);

-- StepStateIsInProcessingPipeline reports whether a step in this state is between being enqueued
-- and having its result processed.
-- name: StepStateIsInProcessingPipeline :one
select tasker.step_state_is_in_processing_pipeline(@state);

-- StepStateIsReadyForClaiming reports whether a worker may claim a step in this state.
-- name: StepStateIsReadyForClaiming :one
select tasker.step_state_is_ready_for_claiming(@state);

-- StepStateSatisfiesDependencies reports whether a step in this state satisfies those that depend
-- on it.
-- name: StepStateSatisfiesDependencies :one
select tasker.step_state_satisfies_dependencies(@state);

-- ListSteps returns the steps of a task by number, with states, attempts, times and results.
-- name: ListSteps :many
select * from tasker.list_steps(@task_uuid);

-- GetParentResults returns a page of the results of a step's parents, after a step number.
-- name: GetParentResults :many
select * from tasker.get_parent_results(@step_uuid, @after_step_no, @max_rows);
