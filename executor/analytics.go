package executor

import (
	"context"

	"github.com/pgtasker/pgtasker/gen"
)

// SystemHealthCounts are the counts of tasks, steps and connections.
type SystemHealthCounts struct{ gen.SystemHealthCounts }

// GetSystemHealthCounts returns the counts of tasks, steps and connections.
func (e *SqlFunctionExecutor) GetSystemHealthCounts(ctx context.Context) (SystemHealthCounts, error) {
	row, err := e.Functions.GetSystemHealthCounts(ctx)
	return SystemHealthCounts{row}, err
}
