package metrics

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
)

// reading is what the database said at one time.
type reading struct {
	at     time.Time
	health executor.SystemHealthCounts
	queues []gen.QueueHealth
	totals []gen.WorkTotals
	dlq    []gen.DLQReasonCounts
	jobs   []gen.MaintenanceJob
}

// read asks the database. The role needs what tasker_reader may call.
func read(ctx context.Context, db executor.DBTX) (r reading, err error) {
	e := executor.New(db)
	if r.at, err = e.Clock(ctx); err != nil {
		return r, fmt.Errorf("clock: %w", err)
	}
	if r.health, err = e.GetSystemHealthCounts(ctx); err != nil {
		return r, fmt.Errorf("health: %w", err)
	}
	if r.queues, err = e.GetQueueHealth(ctx); err != nil {
		return r, fmt.Errorf("queues: %w", err)
	}
	if r.totals, err = e.GetWorkTotals(ctx); err != nil {
		return r, fmt.Errorf("totals: %w", err)
	}
	if r.dlq, err = e.GetDLQDashboard(ctx); err != nil {
		return r, fmt.Errorf("dead-letter queue: %w", err)
	}
	if r.jobs, err = e.ListMaintenanceJobs(ctx); err != nil {
		return r, fmt.Errorf("maintenance: %w", err)
	}
	return r, nil
}

// since is how many seconds ago a time was; what never happened was infinitely long ago, so that an alert
// on its age goes off.
func (r reading) since(t *time.Time) float64 {
	if t == nil {
		return math.Inf(1)
	}
	return max(r.at.Sub(*t).Seconds(), 0)
}
