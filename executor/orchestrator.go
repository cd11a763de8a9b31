package executor

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
)

// GetNextReadyTask hands out one task that an orchestrator has to evaluate; found is false if there is none.
func (e *SqlFunctionExecutor) GetNextReadyTask(ctx context.Context) (task ReadyTaskInfo, found bool, err error) {
	row, err := e.q.GetNextReadyTask(ctx)
	if errors.Is(err, pgx.ErrNoRows) {
		return ReadyTaskInfo{}, false, nil
	}
	return ReadyTaskInfo(row), err == nil, err
}

// GetNextReadyTasks hands out up to limit tasks that an orchestrator has to evaluate, by computed
// priority, each to one caller for the setting discovery_lease_seconds. A limit of 0 means 5.
func (e *SqlFunctionExecutor) GetNextReadyTasks(ctx context.Context, limit int32) ([]ReadyTaskInfo, error) {
	rows, err := e.q.GetNextReadyTasks(ctx, optional(limit))
	return rows, err
}
