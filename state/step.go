package state

// StepState is the state of a step: a value of tasker.step_state.
type StepState string

// The states of a step.
const (
	StepPending                         StepState = "pending"
	StepEnqueued                        StepState = "enqueued"
	StepInProgress                      StepState = "in_progress"
	StepEnqueuedForOrchestration        StepState = "enqueued_for_orchestration"
	StepEnqueuedAsErrorForOrchestration StepState = "enqueued_as_error_for_orchestration"
	StepWaitingForRetry                 StepState = "waiting_for_retry"
	StepSuspended                       StepState = "suspended"
	StepComplete                        StepState = "complete"
	StepError                           StepState = "error"
	StepCancelled                       StepState = "cancelled"
	StepResolvedManually                StepState = "resolved_manually"
)

// StepStates returns every state of a step, in the order of the enum in the database.
func StepStates() []StepState {
	return []StepState{
		StepPending, StepEnqueued, StepInProgress,
		StepEnqueuedForOrchestration, StepEnqueuedAsErrorForOrchestration, StepWaitingForRetry, StepSuspended,
		StepComplete, StepError, StepCancelled, StepResolvedManually,
	}
}

// IsTerminal reports whether the step has ended. A failed one may be started again by an operator.
func (s StepState) IsTerminal() bool {
	switch s {
	case StepComplete, StepError, StepCancelled, StepResolvedManually:
		return true
	}
	return false
}

// IsError reports whether the step failed for good.
func (s StepState) IsError() bool { return s == StepError }

// IsActive reports whether a worker has the step.
func (s StepState) IsActive() bool { return s == StepInProgress }

// IsInProcessingPipeline reports whether the step is between being enqueued and having its result
// processed.
func (s StepState) IsInProcessingPipeline() bool {
	switch s {
	case StepEnqueued, StepInProgress, StepEnqueuedForOrchestration, StepEnqueuedAsErrorForOrchestration:
		return true
	}
	return false
}

// IsReadyForClaiming reports whether a worker may claim the step.
func (s StepState) IsReadyForClaiming() bool { return s == StepEnqueued }

// SatisfiesDependencies reports whether the steps that depend on this one may count on it.
func (s StepState) SatisfiesDependencies() bool {
	return s == StepComplete || s == StepResolvedManually
}
