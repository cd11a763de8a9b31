package executor

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/state"
)

// These errors are the reasons why a task or a step has no result. Every [*TaskError] wraps one of these errors.
var (
	// ErrBlocked says that the task is blocked by failures: an operator has to decide.
	ErrBlocked = errors.New("blocked by failures")
	// ErrFailed says that the task or the step has failed for good.
	ErrFailed = errors.New("failed")
	// ErrCancelled says that the task or the step was cancelled.
	ErrCancelled = errors.New("cancelled")
	// ErrNoResult says that the step was skipped, or resolved by hand without a result, or does not exist.
	ErrNoResult = errors.New("no result")
)

// TaskError says why a task did not complete, or why one of its steps has no result.
type TaskError struct {
	TaskUUID  uuid.UUID
	TaskState state.TaskState
	// Step is the step that the call waited for, and StepState its state. Both are empty if the call waited for a task. StepState is also
	// empty if the task has no such step.
	Step      string
	StepState state.StepState
	// FailedStep is the first step that failed for good, and LastError is its error.
	FailedStep string
	LastError  string

	kinds []error
}

// Error says how the task and the step have ended, and which step failed.
func (e *TaskError) Error() string {
	text := fmt.Sprintf("task %s is %s", e.TaskUUID, e.TaskState)
	switch {
	case e.Step != "" && e.StepState == "":
		text += fmt.Sprintf(", and has no step %q", e.Step)
	case e.Step != "":
		text += fmt.Sprintf(", and its step %q has no result: it is %s", e.Step, e.StepState)
	}
	if e.FailedStep != "" {
		text += fmt.Sprintf("; %q failed: %s", e.FailedStep, e.LastError)
	}
	return text
}

// Unwrap returns the reason: ErrBlocked, ErrFailed, ErrCancelled or ErrNoResult. The failure of a step that blocks its task is both
// ErrFailed and ErrBlocked.
func (e *TaskError) Unwrap() []error { return e.kinds }

// newTaskError makes the error of a task that did not complete, or of a step that has no result, from the rows of the database. The
// argument step is empty if the error is about the task.
func newTaskError(task TaskDetail, steps []StepDetail, step string) *TaskError {
	e := &TaskError{TaskUUID: task.TaskUUID, TaskState: task.State, Step: step}
	for _, s := range steps {
		if s.Name == step {
			e.StepState = s.State
		}
		if s.State == state.StepError && e.FailedStep == "" {
			e.FailedStep = s.Name
			if s.LastError != nil {
				e.LastError = *s.LastError
			}
		}
	}
	switch {
	case e.StepState == state.StepError, step == "" && task.State == state.TaskError:
		e.kinds = append(e.kinds, ErrFailed)
	case e.StepState == state.StepCancelled, step == "" && task.State == state.TaskCancelled:
		e.kinds = append(e.kinds, ErrCancelled)
	case step != "" && (e.StepState == "" || e.StepState.IsTerminal()):
		e.kinds = append(e.kinds, ErrNoResult)
	}
	switch {
	case task.Blocked:
		e.kinds = append(e.kinds, ErrBlocked)
	case len(e.kinds) == 0 && task.State == state.TaskError:
		e.kinds = append(e.kinds, ErrFailed)
	case len(e.kinds) == 0 && task.State == state.TaskCancelled:
		e.kinds = append(e.kinds, ErrCancelled)
	case len(e.kinds) == 0:
		e.kinds = append(e.kinds, ErrNoResult)
	}
	return e
}

// taskError returns the error of a task that ended without success, or of its step if the argument step is not empty.
func (t Tasks) taskError(ctx context.Context, task TaskDetail, step string) error {
	var steps []StepDetail
	for s, err := range t.Steps(ctx, task.TaskUUID) {
		if err != nil {
			return err
		}
		steps = append(steps, s)
	}
	return newTaskError(task, steps, step)
}
