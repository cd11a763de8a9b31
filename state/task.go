package state

// TaskState is the state of a task: a value of tasker.task_state.
type TaskState string

// The states of a task.
const (
	TaskPending                TaskState = "pending"
	TaskInitializing           TaskState = "initializing"
	TaskEnqueuingSteps         TaskState = "enqueuing_steps"
	TaskStepsInProcess         TaskState = "steps_in_process"
	TaskEvaluatingResults      TaskState = "evaluating_results"
	TaskWaitingForDependencies TaskState = "waiting_for_dependencies"
	TaskWaitingForRetry        TaskState = "waiting_for_retry"
	TaskBlockedByFailures      TaskState = "blocked_by_failures"
	TaskComplete               TaskState = "complete"
	TaskError                  TaskState = "error"
	TaskCancelled              TaskState = "cancelled"
	TaskResolvedManually       TaskState = "resolved_manually"
)

// TaskStates returns every state of a task, in the order of the enum in the database.
func TaskStates() []TaskState {
	return []TaskState{
		TaskPending, TaskInitializing, TaskEnqueuingSteps, TaskStepsInProcess, TaskEvaluatingResults,
		TaskWaitingForDependencies, TaskWaitingForRetry, TaskBlockedByFailures,
		TaskComplete, TaskError, TaskCancelled, TaskResolvedManually,
	}
}

// IsTerminal reports whether the task has ended.
func (s TaskState) IsTerminal() bool {
	switch s {
	case TaskComplete, TaskError, TaskCancelled, TaskResolvedManually:
		return true
	}
	return false
}

// RequiresOwnership reports whether the task is owned by the processor that moved it here.
func (s TaskState) RequiresOwnership() bool {
	switch s {
	case TaskInitializing, TaskEnqueuingSteps, TaskStepsInProcess, TaskEvaluatingResults:
		return true
	}
	return false
}

// IsActive reports whether the task is being worked on.
func (s TaskState) IsActive() bool { return s.RequiresOwnership() }

// IsWaiting reports whether the task waits: for dependencies, for a retry that is due later, or for an
// operator.
func (s TaskState) IsWaiting() bool {
	switch s {
	case TaskWaitingForDependencies, TaskWaitingForRetry, TaskBlockedByFailures:
		return true
	}
	return false
}

// CanBeProcessed reports whether an orchestrator may pick the task up.
func (s TaskState) CanBeProcessed() bool {
	switch s {
	case TaskPending, TaskWaitingForDependencies, TaskWaitingForRetry:
		return true
	}
	return false
}
