// Package stateevent names the events that move tasks and steps from one state to another, as in their logs.
package stateevent

// TaskEvent is the event that moved a task from one state to another, in a row of its log.
type TaskEvent string

// The events of a task. An event that follows from its steps is named for the steps' outcome.
const (
	TaskEventStart               TaskEvent = "Start"
	TaskEventReadyStepsFound     TaskEvent = "ReadyStepsFound"
	TaskEventNoStepsFound        TaskEvent = "NoStepsFound"
	TaskEventNoDependenciesReady TaskEvent = "NoDependenciesReady"
	TaskEventStepsEnqueued       TaskEvent = "StepsEnqueued"
	TaskEventEnqueueFailed       TaskEvent = "EnqueueFailed"
	TaskEventStepCompleted       TaskEvent = "StepCompleted"
	TaskEventAllStepsCompleted   TaskEvent = "AllStepsCompleted"
	TaskEventStepFailed          TaskEvent = "StepFailed"
	TaskEventAllStepsSuccessful  TaskEvent = "AllStepsSuccessful"
	TaskEventPermanentFailure    TaskEvent = "PermanentFailure"
	TaskEventRetryPending        TaskEvent = "RetryPending"
	TaskEventDependenciesReady   TaskEvent = "DependenciesReady"
	TaskEventRetryReady          TaskEvent = "RetryReady"
	TaskEventUnblocked           TaskEvent = "Unblocked"
	TaskEventGiveUp              TaskEvent = "GiveUp"
	TaskEventManualResolution    TaskEvent = "ManualResolution"
	TaskEventReset               TaskEvent = "Reset"
	TaskEventRerun               TaskEvent = "Rerun"
	TaskEventCancel              TaskEvent = "Cancel"
	TaskEventTimeout             TaskEvent = "Timeout"
)

// TaskEvents returns every event of a task.
func TaskEvents() []TaskEvent {
	return []TaskEvent{
		TaskEventStart,
		TaskEventReadyStepsFound,
		TaskEventNoStepsFound,
		TaskEventNoDependenciesReady,
		TaskEventStepsEnqueued,
		TaskEventEnqueueFailed,
		TaskEventStepCompleted,
		TaskEventAllStepsCompleted,
		TaskEventStepFailed,
		TaskEventAllStepsSuccessful,
		TaskEventPermanentFailure,
		TaskEventRetryPending,
		TaskEventDependenciesReady,
		TaskEventRetryReady,
		TaskEventUnblocked,
		TaskEventGiveUp,
		TaskEventManualResolution,
		TaskEventReset,
		TaskEventRerun,
		TaskEventCancel,
		TaskEventTimeout,
	}
}

// StepEvent is the event that moved a step from one state to another, in a row of its log.
type StepEvent string

// The events of a step.
const (
	StepEventEnqueue                 StepEvent = "Enqueue"
	StepEventFail                    StepEvent = "Fail"
	StepEventStart                   StepEvent = "Start"
	StepEventEnqueueForOrchestration StepEvent = "EnqueueForOrchestration"
	StepEventRelease                 StepEvent = "Release"
	StepEventLeaseExpired            StepEvent = "LeaseExpired"
	StepEventComplete                StepEvent = "Complete"
	StepEventWaitForRetry            StepEvent = "WaitForRetry"
	StepEventRetry                   StepEvent = "Retry"
	StepEventSuspend                 StepEvent = "Suspend"
	StepEventResume                  StepEvent = "Resume"
	StepEventReset                   StepEvent = "Reset"
	StepEventRerun                   StepEvent = "Rerun"
	StepEventCancel                  StepEvent = "Cancel"
	StepEventSkip                    StepEvent = "Skip"
	StepEventTolerate                StepEvent = "Tolerate"
	StepEventResolveManually         StepEvent = "ResolveManually"
	StepEventCompleteManually        StepEvent = "CompleteManually"
)

// StepEvents returns every event of a step.
func StepEvents() []StepEvent {
	return []StepEvent{
		StepEventEnqueue,
		StepEventFail,
		StepEventStart,
		StepEventEnqueueForOrchestration,
		StepEventRelease,
		StepEventLeaseExpired,
		StepEventComplete,
		StepEventWaitForRetry,
		StepEventRetry,
		StepEventSuspend,
		StepEventResume,
		StepEventReset,
		StepEventRerun,
		StepEventCancel,
		StepEventSkip,
		StepEventTolerate,
		StepEventResolveManually,
		StepEventCompleteManually,
	}
}
