package workflow

import (
	"context"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/worker"
)

// Job is one attempt at a step. Results of other steps are not in it: a step's function gets those that it depends on as
// arguments. A test may make one as a literal: &workflow.Job[Order]{Input: Order{…}}.
type Job[C any] struct {
	// Input is the task's context. Fields that C does not have are ignored.
	Input C
	// StepUUID is the same for all attempts: a good idempotency key.
	StepUUID    uuid.UUID
	TaskUUID    uuid.UUID
	TaskVersion string
	Name        string // the step's
	// Attempt is this attempt's number, from 1, and MaxAttempts that of the last one.
	Attempt     int
	MaxAttempts int
	// LostCount is how often a worker was lost with the step in hand.
	LostCount int
	// LastError is the error of the previous attempt; empty on the first.
	LastError string
	// CorrelationID ties the task to a request that goes through several systems.
	CorrelationID uuid.UUID

	worker.Function

	step *worker.Step
}

func newJob[C any](job *worker.Job[C]) *Job[C] {
	return &Job[C]{
		Input: job.Input, StepUUID: job.StepUUID, TaskUUID: job.TaskUUID, TaskVersion: job.TaskVersion, Name: job.Name,
		Attempt: job.Attempt, MaxAttempts: job.MaxAttempts, LostCount: job.LostCount, LastError: job.LastError,
		CorrelationID: job.CorrelationID, Function: worker.FunctionOf(job), step: job.Step,
	}
}

// Headers decodes the task's headers, such as a traceparent.
func (j *Job[C]) Headers() (map[string]any, error) {
	if j.step == nil {
		return map[string]any{}, nil
	}
	return j.step.Headers()
}

// State decodes the state with which the function has continued, by [worker.ContinueAs], into v, and reports whether there is one:
// in its first round there is none.
func (j *Job[C]) State(v any) (bool, error) {
	if j.step == nil {
		return false, nil
	}
	return j.step.State(v)
}

// LastCheckpoint decodes the value that an earlier attempt saved with Checkpoint into v, and reports whether there is one.
func (j *Job[C]) LastCheckpoint(v any) (bool, error) {
	if j.step == nil {
		return false, nil
	}
	return j.step.LastCheckpoint(v)
}

// Checkpoint keeps v as how far the step has come, for the next attempt, and renews the lease. It returns
// [worker.ErrLost] or [worker.ErrCancelled] if the step is no longer this worker's to do; the function should stop then.
// A job that a test made as a literal keeps nothing.
func (j *Job[C]) Checkpoint(ctx context.Context, v any) error {
	if j.step == nil {
		return nil
	}
	return j.step.Checkpoint(ctx, v)
}
