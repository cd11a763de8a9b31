package executor

import (
	"context"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/gen"
)

// ListSteps returns all steps of a task by number, with states, attempts, times and results. It returns ErrNotFound if
// there is no such task. Queries.ListSteps reads a page of a task with thousands of steps.
func (e *SqlFunctionExecutor) ListSteps(ctx context.Context, taskUUID uuid.UUID) ([]gen.StepDetail, error) {
	return e.Queries.ListSteps(ctx, taskUUID, nil, nil)
}
