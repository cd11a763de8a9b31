package executor

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/pgtasker/pgtasker/gen"
)

// GetNextReadyTask returns one task that an orchestrator has to evaluate. The result found is false if there is no such task.
func (e *SqlFunctionExecutor) GetNextReadyTask(ctx context.Context) (task gen.ReadyTaskInfo, found bool, err error) {
	row, err := e.q.GetNextReadyTask(ctx)
	if errors.Is(err, pgx.ErrNoRows) {
		return gen.ReadyTaskInfo{}, false, nil
	}
	return row, err == nil, err
}
