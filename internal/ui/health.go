package ui

import (
	"context"
	"fmt"
	"time"

	"github.com/pgtasker/pgtasker/executor"
)

// patience is how long work may wait, and maintenance be behind, until that is a problem.
const patience = 15 * time.Minute

// verdict says how the system is.
type verdict struct {
	Healthy bool
	// Problems are wrong, Notes wait for people.
	Problems, Notes []finding
	Counts          executor.SystemHealthCounts
	Queues          []executor.QueueHealth
	Duties          []executor.MaintenanceDuty
}

// finding is a sentence, and where to look.
type finding struct{ Text, Href string }

// readVerdict reads the figures, and judges them as tasker health does.
func readVerdict(ctx context.Context, e *executor.SqlFunctionExecutor, now time.Time) (*verdict, error) {
	counts, err := e.GetSystemHealthCounts(ctx)
	if err != nil {
		return nil, err
	}
	v := &verdict{Counts: counts}
	if v.Queues, err = e.GetQueueHealth(ctx); err != nil {
		return nil, err
	}
	if v.Duties, err = e.ListMaintenanceDuties(ctx); err != nil {
		return nil, err
	}
	unserved, err := e.ListUnservedSteps(ctx, nil)
	if err != nil {
		return nil, err
	}
	v.judgeCounts(counts, now)
	v.judgeWork()
	v.note(unserved, now)
	v.Healthy = len(v.Problems) == 0
	return v, nil
}

func (v *verdict) problem(wrong bool, href, format string, arguments ...any) {
	if wrong {
		v.Problems = append(v.Problems, finding{fmt.Sprintf(format, arguments...), href})
	}
}

func (v *verdict) judgeCounts(c executor.SystemHealthCounts, now time.Time) {
	v.problem(c.IsUnderHeavyLoad(), Root+"/health", "The load is heavy: %d of %d connections are in use, %s of %s failed.",
		c.ActiveConnections, c.MaxConnections, number(c.ErrorTasks), count(c.TotalTasks, "task"))
	v.problem(c.OldestWaitingSeconds > patience.Seconds(), Root+"/health",
		"A task has waited for an orchestrator for %s. Run a worker or tasker orchestrate.", took(c.OldestWaitingSeconds))
	if c.Standby {
		return // Maintenance is the primary's.
	}
	v.problem(c.RolledUpUntil == nil, Root+"/health", "Ended work was never counted: run tasker orchestrate, tasker serve or a worker in Go, or call tasker.do_duties().")
	if until := c.RolledUpUntil; until != nil {
		v.problem(now.Sub(*until) > patience, Root+"/health",
			"Ended work was last counted %s ago: run tasker orchestrate, tasker serve or a worker in Go, or call tasker.do_duties().", span(now.Sub(*until)))
	}
	v.problem(c.PartitionsUntil == nil || !c.PartitionsUntil.After(now), Root+"/partitions", "No partition covers the tasks that are created now.")
}

func (v *verdict) judgeWork() {
	for _, q := range v.Queues {
		v.problem(q.OldestServedSeconds > patience.Seconds() && !q.Paused, Root+"/queues",
			"A step of %s, lane %s, has been ready for %s.", q.NamespaceName, q.Lane, took(q.OldestServedSeconds))
	}
	for _, duty := range v.Duties {
		if duty.LastError != nil {
			v.problem(true, Root+"/health", "Maintenance duty %s failed: %s", duty.Duty, *duty.LastError)
		}
	}
}

// unservedSaid is how many handlers that no worker has are said one by one: when all workers are gone, those are all.
const unservedSaid = 3

// note says what waits for people without being wrong.
func (v *verdict) note(unserved []executor.UnservedStep, now time.Time) {
	for i, s := range unserved {
		if more := len(unserved) - i; i == unservedSaid && more > 1 {
			v.Notes = append(v.Notes, finding{fmt.Sprintf("%d more handlers have ready steps but no running worker.", more), Root + "/workers"})
			break
		}
		said := fmt.Sprintf("No running worker has handler %s, for which a step of %s has been ready for %s.", s.Handler, s.Namespace, span(now.Sub(s.ReadySince)))
		if s.Nearest != nil {
			said += " Did you mean " + *s.Nearest + "?"
		}
		v.Notes = append(v.Notes, finding{said, stepPath(s.StepUUID)})
	}
	if n := v.Counts.BlockedByFailuresTasks; n > 0 {
		verb := " are"
		if n == 1 {
			verb = " is"
		}
		v.Notes = append(v.Notes, finding{count(n, "task") + verb + " blocked by failures.", Root + "/tasks?state=blocked_by_failures"})
	}
	if n := v.Counts.PendingDLQEntries; n > 0 {
		v.Notes = append(v.Notes, finding{count(n, "dead letter") + " to investigate.", Root + "/dead-letters"})
	}
}

// Word is the verdict in a word.
func (v *verdict) Word() string {
	switch {
	case !v.Healthy:
		return "unhealthy"
	case len(v.Notes) > 0:
		return "healthy, with something to look at"
	}
	return "healthy"
}
