package direct

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/state"
)

// TaskMove is a transition of a task, as TransitionTaskStateAtomic takes it.
type TaskMove struct {
	TaskUUID uuid.UUID
	// From is the state that the task must be in.
	From state.TaskState
	To   state.TaskState
	// ProcessorUUID identifies the processor that moves the task and owns it in an active state. Default: none.
	ProcessorUUID uuid.UUID
	// Metadata is a JSON object for the log. The engine reads "reason" and "event". Nil is an empty object.
	Metadata json.RawMessage
}

// TransitionTaskStateAtomic compares and swaps: if the task is in the state From, it moves the task to another state and
// returns true. Otherwise it changes nothing and returns false. ErrConflict says that the transition is never allowed or that a
// guard forbids it. ErrNotFound says that the task does not exist.
func (e *Executor) TransitionTaskStateAtomic(ctx context.Context, move TaskMove) (bool, error) {
	return e.Functions.TransitionTaskStateAtomic(ctx, sqlfn.TransitionTaskStateAtomicParams{
		TaskUUID:      move.TaskUUID,
		FromState:     string(move.From),
		ToState:       string(move.To),
		ProcessorUUID: move.ProcessorUUID,
		Metadata:      move.Metadata,
	})
}

// StepMove is a transition of a step, as TransitionStepStateAtomic takes it.
type StepMove struct {
	StepUUID uuid.UUID
	// From is the state that the step must be in.
	From state.StepState
	To   state.StepState
	// ProcessorUUID identifies the worker or another processor that moves the step. Default: none.
	ProcessorUUID uuid.UUID
	// Metadata is a JSON object. The engine reads "results", "error", "reason", "execution_time_ms",
	// "backoff_seconds" and "event". The log keeps the other keys. Nil is an empty object.
	Metadata json.RawMessage
}

// TransitionStepStateAtomic compares and swaps: if the step is in the state From, it moves the step to another state and
// returns true. Otherwise it changes nothing and returns false. ErrConflict says that the transition is never allowed, that a
// guard forbids it, or that the task has ended. ErrNotFound says that the step does not exist. ErrTooLarge says that the
// results are too large.
func (e *Executor) TransitionStepStateAtomic(ctx context.Context, move StepMove) (bool, error) {
	return e.Functions.TransitionStepStateAtomic(ctx, sqlfn.TransitionStepStateAtomicParams{
		StepUUID:      move.StepUUID,
		FromState:     string(move.From),
		ToState:       string(move.To),
		ProcessorUUID: move.ProcessorUUID,
		Metadata:      move.Metadata,
	})
}
