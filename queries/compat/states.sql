-- StepStateIsTerminal reports whether a step in this state has ended.
-- name: StepStateIsTerminal :one
select tasker.step_state_is_terminal(@state);

-- StepStateIsError reports whether a step in this state failed for good.
-- name: StepStateIsError :one
select tasker.step_state_is_error(@state);

-- StepStateIsActive reports whether a worker is running a step in this state.
-- name: StepStateIsActive :one
select tasker.step_state_is_active(@state);

-- StepStateIsInProcessingPipeline reports whether a step in this state has been enqueued and its result has not
-- been processed yet.
-- name: StepStateIsInProcessingPipeline :one
select tasker.step_state_is_in_processing_pipeline(@state);

-- StepStateIsReadyForClaiming reports whether a worker may claim a step in this state.
-- name: StepStateIsReadyForClaiming :one
select tasker.step_state_is_ready_for_claiming(@state);

-- StepStateSatisfiesDependencies reports whether a step in this state satisfies the steps that depend on it.
-- name: StepStateSatisfiesDependencies :one
select tasker.step_state_satisfies_dependencies(@state);

-- TaskStateIsTerminal reports whether a task in this state has ended.
-- name: TaskStateIsTerminal :one
select tasker.task_state_is_terminal(@state);

-- TaskStateRequiresOwnership reports whether a task in this state has an owner.
-- name: TaskStateRequiresOwnership :one
select tasker.task_state_requires_ownership(@state);

-- TaskStateIsActive reports whether a task in this state is being worked on.
-- name: TaskStateIsActive :one
select tasker.task_state_is_active(@state);

-- TaskStateIsWaiting reports whether a task in this state waits for dependencies, a retry or an operator.
-- name: TaskStateIsWaiting :one
select tasker.task_state_is_waiting(@state);

-- TaskStateCanBeProcessed reports whether an orchestrator may pick up a task in this state.
-- name: TaskStateCanBeProcessed :one
select tasker.task_state_can_be_processed(@state);
