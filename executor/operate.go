package executor

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/state"

	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

// Operate changes the course of tasks, as an operator does. See [Client.Operate]. Each call names the actor and the reason. A call returns
// false and no error if the task or the step is already in the wanted state, so a call may be repeated. The error is ErrConflict if the
// task has ended in another way, or if a step is in a state that forbids the change.
type Operate struct{ e *SqlFunctionExecutor }

// Cancel cancels a task. No further step of the task starts, running handlers are cancelled, and steps with a compensation are undone.
func (o Operate) Cancel(ctx context.Context, task uuid.UUID, by By) (bool, error) {
	return o.e.CancelTask(ctx, task, by.Reason, by.Actor)
}

// GiveUp fails a task that is blocked by failures. Steps with a compensation are undone.
func (o Operate) GiveUp(ctx context.Context, task uuid.UUID, by By) (bool, error) {
	return o.e.GiveUpTask(ctx, task, by.Reason, by.Actor)
}

// ResolveTask ends a task that is blocked by failures. The task gets the state "resolved_manually".
func (o Operate) ResolveTask(ctx context.Context, task uuid.UUID, by By) (bool, error) {
	return o.e.ResolveTaskManually(ctx, task, by.Reason, by.Actor)
}

// Reset starts the failed steps of a task again and gives them new attempts.
func (o Operate) Reset(ctx context.Context, task uuid.UUID, by By) (bool, error) {
	return o.e.ResetTask(ctx, task, by.Reason, by.Actor)
}

// ResetFilter says which tasks to reset.
type ResetFilter struct {
	// Namespace, Name and Version of the template. Default: any.
	Namespace, Name, Version string
	// State of the tasks. Default: blocked by failures.
	State state.TaskState
	// Tags are the tags that a task must have, all of them.
	Tags []string
	// Since and Until bound the time at which the tasks were requested.
	Since, Until time.Time
	// DryRun only lists the tasks that would be reset.
	DryRun bool
	// Limit is how many tasks to reset at most. Default: all.
	Limit int
}

// ResetMany resets the tasks that the filter selects, and returns the outcome for each task. It makes a call of the database for each 100
// tasks. On a pool each of these calls is its own transaction. by.Reason is required.
func (o Operate) ResetMany(ctx context.Context, filter ResetFilter, by By) iter.Seq2[gen.TaskReset, error] {
	return pagesOf(100, filter.Limit, func(last *gen.TaskReset, rows int32) ([]gen.TaskReset, error) {
		params := sqlfn.ResetTasksParams{
			Reason: by.Reason, Actor: by.Actor, State: string(filter.State), Namespace: filter.Namespace, Name: filter.Name,
			Version: filter.Version, Tags: filter.Tags, RequestedAfter: filter.Since, RequestedBefore: filter.Until,
			DryRun: filter.DryRun, Limit: rows,
		}
		if last != nil {
			params.After = last.TaskUUID
		}
		return o.e.ResetTasks(ctx, params)
	})
}

// Retry starts a failed step again and gives it new attempts. A step that waits for its next attempt starts at once.
func (o Operate) Retry(ctx context.Context, step uuid.UUID, by By) (bool, error) {
	return o.e.RetryStep(ctx, step, by.Reason, by.Actor)
}

// Complete completes a step by hand. The result is encoded as JSON. If it is nil, the step has no result. The error is ErrConflict if the
// step still waits for other steps.
func (o Operate) Complete(ctx context.Context, step uuid.UUID, result any, by By) (bool, error) {
	raw, err := resultOf(result)
	if err != nil {
		return false, err
	}
	return o.e.CompleteStepManually(ctx, sqlfn.CompleteStepManuallyParams{StepUUID: step, Results: raw, Reason: by.Reason, Actor: by.Actor})
}

// CompleteByName completes a step, such as an approval, like [Operate.Complete]. The task and the name identify the step.
func (o Operate) CompleteByName(ctx context.Context, task uuid.UUID, step string, result any, by By) (bool, error) {
	raw, err := resultOf(result)
	if err != nil {
		return false, err
	}
	return o.e.CompleteStepByName(ctx, task, step, StepCompletion{Results: raw, Reason: by.Reason, Actor: by.Actor})
}

// resultOf encodes a result as JSON. It returns nil for nil.
func resultOf(result any) (json.RawMessage, error) {
	if result == nil {
		return nil, nil
	}
	raw, err := json.Marshal(result)
	if err != nil {
		return nil, fmt.Errorf("the result: %w", err)
	}
	return raw, nil
}

// ResolveStep marks a failed step as resolved by hand, without a result. The steps that depend on this step can then run.
func (o Operate) ResolveStep(ctx context.Context, step uuid.UUID, by By) (bool, error) {
	return o.e.ResolveStepManually(ctx, step, by.Reason, by.Actor)
}

// RerunStep runs a step again, and all steps that depend on it, directly or not, for example because its result was wrong. A task that is
// complete or has failed is opened again. by.Reason is required. RerunStep returns false if the step is going to run anyway. The error is
// ErrConflict if the task cannot be opened again, for example because it was cancelled or undone. The hint of the error says what to do
// instead.
func (o Operate) RerunStep(ctx context.Context, step uuid.UUID, by By) (bool, error) {
	return o.e.RerunStep(ctx, sqlfn.RerunStepParams{StepUUID: step, Reason: by.Reason, Actor: by.Actor})
}

// CorrectResult replaces the result of a step by hand. The new result is encoded as JSON. The steps that depend on this step run again, as
// after [Operate.RerunStep]. by.Reason is required. CorrectResult returns false if the step already has this result.
func (o Operate) CorrectResult(ctx context.Context, step uuid.UUID, result any, by By) (bool, error) {
	raw, err := json.Marshal(result)
	if err != nil {
		return false, fmt.Errorf("the result: %w", err)
	}
	return o.e.RerunStep(ctx, sqlfn.RerunStepParams{StepUUID: step, Reason: by.Reason, Actor: by.Actor, Results: raw})
}

// PreviewRerun lists the steps that [Operate.RerunStep] would run again or replace, in the order of their numbers.
func (o Operate) PreviewRerun(ctx context.Context, step uuid.UUID) ([]gen.StepRerun, error) {
	return o.e.PreviewRerun(ctx, step)
}

// Fork says how a fork begins, and what happens to the original task.
type Fork struct {
	// From is the step where the fork begins. The fork takes over the results of all steps that do not depend on this step. Default: the
	// fork begins at the steps that have no result.
	From string
	// Version of the template. Default: the version of the task.
	Version string
	// Key is the identity key of the fork. It is needed if the template's identity strategy is caller_provided.
	Key string
	// Cancel cancels the original task. Default: the original task stays as it is.
	Cancel bool
}

// Fork starts a new task that takes over the results of another task up to a step. It returns the UUID of the new task.
func (o Operate) Fork(ctx context.Context, task uuid.UUID, fork Fork, by By) (uuid.UUID, error) {
	return o.e.ForkTask(ctx, sqlfn.ForkTaskParams{
		TaskUUID: task, FromStep: fork.From, Version: fork.Version, Key: fork.Key, Cancel: fork.Cancel,
		Reason: by.Reason, Actor: by.Actor,
	})
}

// AddSteps adds steps, given as JSON, to a running task. AddSteps of package template takes Go values instead.
func (o Operate) AddSteps(ctx context.Context, task uuid.UUID, steps json.RawMessage) ([]gen.StepAddition, error) {
	return o.e.AddSteps(ctx, task, steps)
}

// Pause keeps workers from claiming steps of a namespace. Running steps finish.
func (o Operate) Pause(ctx context.Context, namespace string, by By) (bool, error) {
	return o.e.PauseNamespace(ctx, namespace, by)
}

// Resume lets workers claim the steps of a namespace again.
func (o Operate) Resume(ctx context.Context, namespace string, by By) (bool, error) {
	return o.e.ResumeNamespace(ctx, namespace, by)
}
