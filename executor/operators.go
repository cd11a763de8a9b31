package executor

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

// StepCompletion holds the results with which an operator completes a step. The zero value completes the step without results.
type StepCompletion struct {
	// Results are the results that later steps read. Default: null.
	Results json.RawMessage
	// Reason and Actor go into the logs. Default: no reason, and the caller's role as the actor.
	Reason, Actor string
	// Early completes the step even before its dependencies have settled. Early needs a Reason. Default: false.
	Early bool
}

// CompleteStepByName completes a step, such as an approval, that the task and the name identify. It returns false if the step was already
// complete. The error is ErrNotFound if the task or the step does not exist, and ErrConflict if the step still waits for other steps or the
// task has ended.
func (e *SqlFunctionExecutor) CompleteStepByName(
	ctx context.Context, taskUUID uuid.UUID, stepName string, completion StepCompletion,
) (bool, error) {
	if err := checkJSON(completion.Results); err != nil {
		return false, fmt.Errorf("results of step %q: %w", stepName, err)
	}
	var err error
	if completion.Results, err = e.sealNamedResult(ctx, taskUUID, stepName, completion.Results); err != nil {
		return false, err
	}
	return e.q.CompleteStepByName(ctx, gen.CompleteStepByNameParams{
		TaskUUID: taskUUID, StepName: stepName, Results: completion.Results,
		Reason: optional(completion.Reason), Actor: optional(completion.Actor), Early: &completion.Early,
	})
}

// TaskChange says what to change about a task. A field with its zero value changes nothing.
type TaskChange struct {
	Priority *int32
	// StartAt is when the task starts, if it has not started. A past time starts the task at once.
	StartAt time.Time
	// Deadline replaces the deadline of the task.
	Deadline time.Time
	// Context is the new context of the task. It needs a Reason.
	Context json.RawMessage
	// Reason and Actor go into the log of administration. Default: no reason, and the caller's role as the actor.
	Reason, Actor string
}

// ChangeTask changes the priority, the start, the deadline or the context of a task that has not ended. It returns false if the task
// already has these values. The error is ErrNotFound if the task does not exist, and ErrConflict if the state of the task does not allow
// the change.
func (e *SqlFunctionExecutor) ChangeTask(ctx context.Context, taskUUID uuid.UUID, change TaskChange) (bool, error) {
	if change.Context != nil {
		var err error
		if change.Context, err = jsonObject(change.Context); err == nil {
			change.Context, err = e.sealContextOf(ctx, taskUUID, change.Context)
		}
		if err != nil {
			return false, fmt.Errorf("context: %w", err)
		}
	}
	return e.q.ChangeTask(ctx, gen.ChangeTaskParams{
		TaskUUID: taskUUID, Priority: change.Priority, StartAt: optional(change.StartAt), Deadline: optional(change.Deadline),
		Context: change.Context, Reason: optional(change.Reason), Actor: optional(change.Actor),
	})
}

// CompleteStepManually completes a step by hand. The result is encrypted if the template asks for encryption.
func (e *SqlFunctionExecutor) CompleteStepManually(ctx context.Context, arg sqlfn.CompleteStepManuallyParams) (_ bool, err error) {
	if arg.Results, err = e.sealResult(ctx, arg.StepUUID, arg.Results); err != nil {
		return false, err
	}
	return e.Functions.CompleteStepManually(ctx, arg)
}
