package executor

import (
	"context"
	"time"

	"github.com/pgtasker/pgtasker/gen"
)

// SystemHealthCounts are the counts of tasks, steps and connections.
type SystemHealthCounts struct{ gen.SystemHealthCounts }

// GetSystemHealthCounts returns the counts of tasks, steps and connections.
func (e *SqlFunctionExecutor) GetSystemHealthCounts(ctx context.Context) (SystemHealthCounts, error) {
	row, err := e.Functions.GetSystemHealthCounts(ctx)
	return SystemHealthCounts{row}, err
}

// AnalyticsFilter selects the data of a report. Its zero value is the last 24 hours of everything.
type AnalyticsFilter struct {
	// Since is when the period begins; it ends now. Default: 24 hours ago.
	Since time.Time
	// Limit is how many rows to return. Default: 10.
	Limit int32
	// Namespace, TaskName and Version of the templates that count. Default: all.
	Namespace string
	TaskName  string
	Version   string
}

// GetSlowestSteps returns the handlers whose executions took longest on average, the slowest first.
func (e *SqlFunctionExecutor) GetSlowestSteps(ctx context.Context, filter AnalyticsFilter) ([]SlowestStepAnalysis, error) {
	rows, err := e.q.GetSlowestSteps(ctx, gen.GetSlowestStepsParams{
		Since:     optionalTime(filter.Since),
		Limit:     optional(filter.Limit),
		Namespace: optional(filter.Namespace),
		TaskName:  optional(filter.TaskName),
		Version:   optional(filter.Version),
	})
	return rows, err
}

// GetSlowestTasks returns the templates whose tasks took longest on average, the slowest first.
func (e *SqlFunctionExecutor) GetSlowestTasks(ctx context.Context, filter AnalyticsFilter) ([]SlowestTaskAnalysis, error) {
	rows, err := e.q.GetSlowestTasks(ctx, gen.GetSlowestTasksParams{
		Since:     optionalTime(filter.Since),
		Limit:     optional(filter.Limit),
		Namespace: optional(filter.Namespace),
		TaskName:  optional(filter.TaskName),
		Version:   optional(filter.Version),
	})
	return rows, err
}

// optionalTime is nil for the zero time, in whatever zone it is written.
func optionalTime(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}
