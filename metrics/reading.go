package metrics

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/judge"
)

// reading holds the data of one query of the database.
type reading struct {
	at     time.Time
	health executor.SystemHealthCounts
	queues []gen.QueueHealth
	// The open incidents, as tasker health shows them.
	verdict judge.Verdict
	// If more than mostNames handlers have no running worker, the handlers that have waited longest are shown.
	unserved []gen.UnservedStep
	limits   []gen.LimitDetail
	// Events that many steps wait for.
	broadcasts []gen.BroadcastHealth
	// If there are more schedules than mostNames, the failing schedules and the latest ones are shown.
	schedules []gen.Schedule
	totals    []gen.WorkTotals
	dlq       []gen.DLQReasonCounts
	duties    []gen.MaintenanceDuty
	// The subscriptions to the feed.
	subscriptions []gen.SubscriptionDetail
	// The work of the last quarter of an hour.
	handlers  []handlerWork
	templates []gen.SlowestTaskAnalysis
}

// handlerWork is a handler's work in a namespace.
type handlerWork struct {
	namespace string
	gen.SlowestStepAnalysis
}

// The durations are from recentTime. If a namespace has more handlers or templates than mostNames, the slowest are shown.
const (
	recentTime = 15 * time.Minute
	mostNames  = 200
)

// read queries the database. The role needs the rights of tasker_reader.
func read(ctx context.Context, db executor.DBTX) (r reading, err error) {
	e := executor.New(db)
	if r.at, err = e.Clock(ctx); err != nil {
		return r, fmt.Errorf("clock: %w", err)
	}
	if r.health, err = e.GetSystemHealthCounts(ctx); err != nil {
		return r, fmt.Errorf("health: %w", err)
	}
	if r.verdict, err = judge.ReadVerdict(ctx, e); err != nil {
		return r, fmt.Errorf("incidents: %w", err)
	}
	if r.queues, err = e.GetQueueHealth(ctx); err != nil {
		return r, fmt.Errorf("queues: %w", err)
	}
	if r.unserved, err = e.ListUnservedSteps(ctx, nil); err != nil {
		return r, fmt.Errorf("handlers that are missing: %w", err)
	}
	r.unserved = r.unserved[:min(len(r.unserved), mostNames)]
	if r.limits, err = e.ListLimits(ctx, ""); err != nil {
		return r, fmt.Errorf("limits: %w", err)
	}
	if r.broadcasts, err = e.GetBroadcastHealth(ctx); err != nil {
		return r, fmt.Errorf("broadcasts: %w", err)
	}
	if r.schedules, err = e.ListSchedules(ctx, ""); err != nil {
		return r, fmt.Errorf("schedules: %w", err)
	}
	if len(r.schedules) > mostNames {
		slices.SortStableFunc(r.schedules, func(a, b gen.Schedule) int {
			return cmp.Or(cmp.Compare(b.Failures, a.Failures), cmp.Compare(r.late(b), r.late(a)))
		})
		r.schedules = r.schedules[:mostNames]
	}
	if r.totals, err = e.GetWorkTotals(ctx, true); err != nil {
		return r, fmt.Errorf("totals: %w", err)
	}
	if r.dlq, err = e.GetDLQDashboard(ctx); err != nil {
		return r, fmt.Errorf("dead-letter queue: %w", err)
	}
	if r.duties, err = e.ListMaintenanceDuties(ctx); err != nil {
		return r, fmt.Errorf("maintenance: %w", err)
	}
	if r.subscriptions, err = e.ListSubscriptions(ctx, ""); err != nil {
		return r, fmt.Errorf("subscriptions: %w", err)
	}
	return r, r.readDurations(ctx, e)
}

// readDurations reads the durations of handlers and templates. The database keeps histograms by minute.
func (r *reading) readDurations(ctx context.Context, e *executor.SqlFunctionExecutor) (err error) {
	recent := sqlfn.GetSlowestStepsParams{Since: r.at.Add(-recentTime), Limit: mostNames}
	if r.templates, err = e.GetSlowestTasks(ctx, sqlfn.GetSlowestTasksParams(recent)); err != nil {
		return fmt.Errorf("durations of tasks: %w", err)
	}
	for _, t := range r.totals {
		recent.Namespace = t.NamespaceName
		steps, err := e.GetSlowestSteps(ctx, recent)
		if err != nil {
			return fmt.Errorf("durations of steps: %w", err)
		}
		for _, s := range steps {
			r.handlers = append(r.handlers, handlerWork{t.NamespaceName, s})
		}
	}
	return nil
}

// late returns how many seconds ago the next tick of a schedule was due. It returns 0 if the tick is not due yet or the schedule is paused.
func (r reading) late(s gen.Schedule) float64 {
	if s.DueAt == nil || s.PausedAt != nil {
		return 0
	}
	return max(r.at.Sub(*s.DueAt).Seconds(), 0)
}

// since returns how many seconds ago a time was. An event that never happened was infinitely long ago, so that an alert on its age fires.
func (r reading) since(t *time.Time) float64 {
	if t == nil {
		return math.Inf(1)
	}
	return max(r.at.Sub(*t).Seconds(), 0)
}
