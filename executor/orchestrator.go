package executor

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Discovery returns the functions that find the tasks that an orchestrator has to evaluate.
func (r *FunctionRegistry) Discovery() DiscoveryFunctions { return r.executor }

// DiscoveryFunctions are the functions that find the tasks that an orchestrator has to evaluate.
type DiscoveryFunctions interface {
	GetNextReadyTask(ctx context.Context) (task ReadyTaskInfo, found bool, err error)
	GetNextReadyTasks(ctx context.Context, limit int32) ([]ReadyTaskInfo, error)
	GetTaskReadyInfo(ctx context.Context, taskUUID uuid.UUID) (ReadyTaskInfo, error)
	GetTaskExecutionContext(ctx context.Context, taskUUID uuid.UUID) (TaskExecutionContext, error)
	GetTaskExecutionContexts(ctx context.Context, taskUUIDs []uuid.UUID) ([]TaskExecutionContext, error)
}

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
