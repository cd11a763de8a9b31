package executor

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/gen"
)

// StepCompletion holds an operator's results for a step. Its zero value is a completion without results.
type StepCompletion struct {
	// Results are the results that later steps read. Default: null.
	Results json.RawMessage
	// Reason and Actor go into the logs. Default: none, and the caller's role.
	Reason, Actor string
	// Early completes the step also if the steps that it depends on have not settled. It needs a Reason.
	// Default: false.
	Early bool
}

// CompleteStepByName completes the step of a task that has this name, such as an approval, and returns whether
// this call did it: false if it was complete before. It returns ErrNotFound if there is no such task or step, and
// ErrConflict if it is not the step's turn or the task has ended.
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
