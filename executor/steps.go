package executor

import (
	"context"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/gen"
)

// ListSteps returns all steps of a task by number, with states, attempts, times and results. It returns ErrNotFound if
// there is no such task. Of a task with thousands of steps, Queries.ListSteps reads a page.
func (e *SqlFunctionExecutor) ListSteps(ctx context.Context, taskUUID uuid.UUID) ([]gen.StepDetail, error) {
	return e.Queries.ListSteps(ctx, taskUUID, nil, nil)
}
