package executor

import (
	"context"

	"github.com/google/uuid"
)

// ListSteps returns all steps of a task by number, with states, attempts, times and results. The error is ErrNotFound if the task does not
// exist. [SqlFunctionExecutor.PageSteps] reads a page of them.
func (e *SqlFunctionExecutor) ListSteps(ctx context.Context, taskUUID uuid.UUID) ([]StepDetail, error) {
	rows, err := e.q.ListSteps(ctx, taskUUID, nil, nil)
	return rows, err
}

// PageSteps returns at most limit steps of a task by number, beginning after the step number after. The error is ErrNotFound if the task
// does not exist.
func (e *SqlFunctionExecutor) PageSteps(ctx context.Context, taskUUID uuid.UUID, after, limit int32) ([]StepDetail, error) {
	rows, err := e.q.ListSteps(ctx, taskUUID, &after, &limit)
	return rows, err
}
