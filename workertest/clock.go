package workertest

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/state"
	"github.com/pgtasker/pgtasker/worker"
)

// Clock sets the time that one transaction of the database uses for leases, retries and timers.
type Clock struct {
	t   testing.TB
	tx  pgx.Tx
	now time.Time
}

// FreezeClock stops the time of the database at a moment, in tx and until tx is rolled back. It replaces the functions tasker.clock and
// tasker.write_clock, so tx needs the role of their owner or of a superuser, and two such tests on one database wait for each other.
func FreezeClock(t testing.TB, tx pgx.Tx, at time.Time) *Clock {
	t.Helper()
	c := &Clock{t: t, tx: tx, now: at}
	c.Advance(0)
	_, err := tx.Exec(t.Context(), `
		select pg_advisory_xact_lock(hashtextextended('workertest', 0));
		create or replace function tasker.clock()
		  returns timestamptz
		  language sql
		  stable
		  parallel safe
		begin atomic
		  select current_setting('workertest.clock')::timestamptz;
		end;
		create or replace function tasker.write_clock()
		  returns timestamptz
		  language sql
		  stable
		  parallel safe
		begin atomic
		  select current_setting('workertest.clock')::timestamptz;
		end;`)
	if err != nil {
		t.Fatal("workertest: freeze the clock:", err)
	}
	return c
}

// Advance moves time forward.
func (c *Clock) Advance(d time.Duration) {
	c.t.Helper()
	c.now = c.now.Add(d)
	_, err := c.tx.Exec(c.t.Context(), "select set_config('workertest.clock', $1, true)", c.now.UTC().Format(time.RFC3339Nano))
	if err != nil {
		c.t.Fatal("workertest: set the clock:", err)
	}
}

// Now returns the time of the clock.
func (c *Clock) Now() time.Time { return c.now }

// Run runs a task's steps with the handlers of w. When no step can run, it moves time forward to the next retry, to the start of a task
// that has not begun, or to the end of a wait for a time. It stops when the task has ended or waits for a person, as the function [Run]
// does. To reach the time-out of such a wait, a test calls Advance. Backoffs, deadlines and expirations happen as in production, and Now
// shows the time that has passed.
func (c *Clock) Run(w *worker.Worker, task uuid.UUID) Report {
	c.t.Helper()
	var order []string
	for range maxRuns {
		report := c.runReady(w, task)
		order = append(order, report.Order...)
		report.Order = order
		next, err := c.next(report)
		if err != nil {
			c.t.Fatal("workertest: when the task goes on:", err)
		}
		if next == nil {
			return report
		}
		c.Advance(max(next.Sub(c.now), time.Millisecond))
	}
	c.t.Fatal("workertest:", "the task does not come to an end")
	return Report{}
}

// runReady is RunReady at the time of the clock.
func (c *Clock) runReady(w *worker.Worker, task uuid.UUID) Report {
	c.t.Helper()
	r := &runner{
		ctx: c.t.Context(), db: c.tx, e: direct.New(c.tx), w: w, task: task, id: uuid.New(), now: c.Now, pass: c.Advance,
	}
	report, err := r.run()
	if err != nil {
		c.t.Fatal("workertest:", err)
	}
	return report
}

// next returns the next time at which the task continues by itself, or nil.
func (c *Clock) next(report Report) (next *time.Time, err error) {
	for _, step := range report.Steps {
		if at := step.NextRetryAt; step.State == state.StepWaitingForRetry && at != nil && (next == nil || at.Before(*next)) {
			next = at
		}
	}
	for _, step := range report.Steps {
		if step.State != state.StepSuspended || slices.Contains(report.Waiting, step.Name) {
			continue
		}
		var at *time.Time
		err := c.tx.QueryRow(c.t.Context(), `select min(m.due_at) from tasker.timers as m
			where m.task_uuid = $1 and m.step_no = $2`, step.TaskUUID, step.StepNo).Scan(&at)
		if err != nil {
			return nil, err
		}
		if at != nil && (next == nil || at.Before(*next)) {
			next = at
		}
	}
	if next == nil && report.State == state.TaskPending {
		err = c.tx.QueryRow(c.t.Context(), "select min(m.due_at) from tasker.timers as m where m.task_uuid = $1", report.Task.TaskUUID).Scan(&next)
	}
	return next, err
}
