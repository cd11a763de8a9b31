package executor

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/state"
)

// StepExecutionResult is the outcome of a step, for the steps that depend on it.
type StepExecutionResult struct {
	StepUUID uuid.UUID       `json:"step_uuid"`
	StepName string          `json:"step_name"`
	State    state.StepState `json:"state"`
	// Distance is the number of dependencies on the shortest path to the step: 1 for a parent.
	Distance int32 `json:"distance"`
	// Result is the result that a worker or an operator recorded.
	Result json.RawMessage `json:"result"`
}

// GetStepDependencyResultsMap returns the results of the steps that a step depends on, directly or not, by their names. Steps that are
// neither complete nor resolved manually, or have no result, are left out. The error is ErrNotFound if the step does not exist.
func (e *SqlFunctionExecutor) GetStepDependencyResultsMap(
	ctx context.Context, stepUUID uuid.UUID,
) (map[string]StepExecutionResult, error) {
	dependencies, err := e.GetStepTransitiveDependencies(ctx, stepUUID)
	if err != nil {
		return nil, err
	}
	results := make(map[string]StepExecutionResult, len(dependencies))
	for _, d := range dependencies {
		if !d.Processed || d.Results == nil {
			continue
		}
		if _, nearer := results[d.StepName]; nearer {
			continue
		}
		results[d.StepName] = StepExecutionResult{
			StepUUID: d.WorkflowStepUUID,
			StepName: d.StepName,
			State:    d.CurrentState,
			Distance: d.Distance,
			Result:   d.Results,
		}
	}
	return results, nil
}
