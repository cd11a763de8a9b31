package executor

import (
	"context"

	"github.com/google/uuid"
)

// ListSteps returns all steps of a task in the order of their numbers, with states, attempts, times and results. The error is ErrNotFound
// if the task does not exist. [SqlFunctionExecutor.PageSteps] returns a page of the steps.
func (e *SqlFunctionExecutor) ListSteps(ctx context.Context, taskUUID uuid.UUID) ([]StepDetail, error) {
	rows, err := e.q.ListSteps(ctx, taskUUID, nil, nil)
	return rows, err
}

// PageSteps returns a page of a task's steps in the order of their numbers. The page starts after the step with the number in the argument
// after, and has at most as many steps as the argument limit says. The error is ErrNotFound if the task does not exist.
func (e *SqlFunctionExecutor) PageSteps(ctx context.Context, taskUUID uuid.UUID, after, limit int32) ([]StepDetail, error) {
	rows, err := e.q.ListSteps(ctx, taskUUID, &after, &limit)
	return rows, err
}
