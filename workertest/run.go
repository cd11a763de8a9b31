package workertest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/durable"
	"github.com/pgtasker/pgtasker/internal/inner"
	"github.com/pgtasker/pgtasker/internal/jsonfit"
	"github.com/pgtasker/pgtasker/state"
	"github.com/pgtasker/pgtasker/worker"
)

const (
	// maxRuns bounds the attempts of one step in one Run, for a handler that asks for another attempt forever.
	maxRuns = 10_000
	// maxBatch is how many steps one call claims, and how many results one call records.
	maxBatch = 1000
)

// Report describes a task after a run.
type Report struct {
	State state.TaskState
	Task  executor.TaskDetail
	// Steps are the steps of the task in the order of their numbers.
	Steps []executor.StepDetail
	// Order has the names of the steps in the order in which they ran, once for each attempt.
	Order []string
	// Waiting has the names of the ready steps for which the worker has no handler, and of the steps that wait for a signal. A person or
	// another program has to act on these steps before the task continues.
	Waiting []string
}

// String returns the state of the task and its waits, for messages of assertions.
func (r Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "the task is %s", r.State)
	for _, step := range r.Steps {
		switch {
		case step.State == state.StepEnqueued && slices.Contains(r.Waiting, step.Name):
			fmt.Fprintf(&b, "; step %q waits, the worker has no handler %q", step.Name, step.Handler)
		case step.State == state.StepSuspended && slices.Contains(r.Waiting, step.Name):
			fmt.Fprintf(&b, "; step %q waits for a signal", step.Name)
		case step.State == state.StepSuspended:
			fmt.Fprintf(&b, "; step %q waits", step.Name)
		case step.State == state.StepError && step.LastError != nil:
			fmt.Fprintf(&b, "; step %q has failed: %s", step.Name, *step.LastError)
		case step.State == state.StepWaitingForRetry && step.NextRetryAt != nil:
			fmt.Fprintf(&b, "; step %q is tried again at %s", step.Name, step.NextRetryAt)
		}
	}
	return b.String()
}

// Step returns a step by its name, and fails the test if the task has no such step.
func (r Report) Step(t testing.TB, name string) executor.StepDetail {
	t.Helper()
	for _, step := range r.Steps {
		if step.Name == name {
			return step
		}
	}
	t.Fatalf("workertest: the task has no step %q", name)
	return executor.StepDetail{}
}

// Result returns the results of a step, and fails the test if the step has no result or a result of another type.
func Result[T any](t testing.TB, r Report, name string) (value T) {
	t.Helper()
	step := r.Step(t, name)
	if step.State != state.StepComplete && step.State != state.StepResolvedManually {
		t.Fatalf("workertest: step %q has no results: it is %s", name, step.State)
	}
	if err := jsonfit.Decode(step.Results, &value); err != nil {
		t.Fatalf("workertest: the result of step %q %v", name, err)
	}
	return value
}

// Run runs a task's steps with the handlers of w, one after the other in the test's goroutine, until no step can run. It skips the waits
// for retries and the sleeps of durable functions, however long they are. The argument db is a transaction, so that everything can be
// rolled back, or a pool.
//
// Run does not run steps that wait for a signal, and steps for which w has no handler. Report.Waiting names these steps. A test acts for
// the person, with [Signal] or executor.CompleteStepByName, and calls Run again for the later steps.
//
// As in a worker, steps that are ready at the same time are claimed together, and their results are recorded together, up to 1,000 in one
// call. A handler of [worker.HandleTx] records its result in its own transaction. If db is a transaction, that is a savepoint.
func Run(t testing.TB, db executor.DBTX, w *worker.Worker, task uuid.UUID) Report {
	t.Helper()
	return run(t, db, w, task, true)
}

// RunReady is [Run] without skipped waits. It runs the steps that are ready at the database's time, and the steps that become ready after
// them. [Clock.Run] moves the time forward instead of skipping waits.
func RunReady(t testing.TB, db executor.DBTX, w *worker.Worker, task uuid.UUID) Report {
	t.Helper()
	return run(t, db, w, task, false)
}

func run(t testing.TB, db executor.DBTX, w *worker.Worker, task uuid.UUID, skipWaits bool) Report {
	t.Helper()
	r := &runner{ctx: t.Context(), db: db, e: direct.New(db), w: w, task: task, id: uuid.New(), now: time.Now, skips: skipWaits}
	report, err := r.run()
	if err != nil {
		t.Fatal("workertest:", err)
	}
	return report
}

type runner struct {
	ctx   context.Context
	db    executor.DBTX
	e     *direct.Executor
	w     *worker.Worker
	task  uuid.UUID
	id    uuid.UUID
	order []string
	most  int // attempts of one step
	now   func() time.Time
	pass  func(time.Duration) // lets the pause between two tries of a call pass, nil for no pause
	skips bool                // waits for a time
	runs  map[uuid.UUID]int
}

func (r *runner) run() (report Report, err error) {
	r.runs = map[uuid.UUID]int{}
	for {
		fired, err := r.e.FireDueTimers(r.ctx, 1000)
		if err != nil {
			return report, err
		}
		if report.Steps, err = r.e.ListSteps(r.ctx, r.task); err != nil {
			return report, err
		}
		report.Waiting = nil
		var ready []executor.StepDetail
		// A note of one task for another is due at once: the next turn handles it.
		moved := fired > 0
		steps, err := r.withChildren(report.Steps)
		if err != nil {
			return report, err
		}
		for _, step := range steps {
			switch {
			case step.State == state.StepEnqueued && !inner.Of(r.w).Handles(step.Handler):
				report.Waiting = append(report.Waiting, step.Name)
			case step.State == state.StepEnqueued:
				ready = append(ready, step)
			case step.State == state.StepWaitingForRetry && r.skips:
				did, err := r.e.SetStepBackoffAtomic(r.ctx, step.WorkflowStepUUID, 0)
				if err != nil {
					return report, err
				}
				moved = moved || did
			}
		}
		did, err := r.do(ready)
		if err != nil {
			return report, err
		}
		if r.most > maxRuns {
			return report, errors.New("the task does not end")
		}
		if !moved && !did {
			break
		}
	}
	report.Order = r.order
	if report.Task, err = r.e.GetTask(r.ctx, r.task); err != nil {
		return report, err
	}
	report.State = report.Task.State
	return report, r.addWaits(&report)
}

// withChildren adds the steps of the tasks that these steps started, and so on.
func (r *runner) withChildren(steps []executor.StepDetail) ([]executor.StepDetail, error) {
	if !slices.ContainsFunc(steps, func(s executor.StepDetail) bool { return s.ChildTaskUUID != nil }) {
		return steps, nil
	}
	family, err := r.e.GetTaskTree(r.ctx, r.task, 0)
	if err != nil {
		return nil, err
	}
	steps = slices.Clone(steps)
	for _, child := range family[1:] {
		of, err := r.e.ListSteps(r.ctx, child.TaskUUID)
		if err != nil {
			return nil, err
		}
		steps = append(steps, of...)
	}
	return steps, nil
}

// do claims steps that are ready, runs their handlers in order and records the outcomes. It returns false if no step was ready.
func (r *runner) do(ready []executor.StepDetail) (bool, error) {
	claims, err := r.claim(ready)
	if err != nil {
		return false, err
	}
	suspended, refused := false, false
	var results []direct.StepResult
	for _, step := range ready {
		claimed, found := claims[step.WorkflowStepUUID]
		if !found {
			continue // its namespace is paused, or it was cancelled
		}
		result, err := inner.Of(r.w).Do(durable.With(r.ctx, r.world()), r.db, claimed)
		r.order = append(r.order, step.Name)
		if errors.Is(err, worker.ErrSuspended) {
			suspended = true
			continue
		}
		if errors.Is(err, worker.ErrLost) { // Its handler has a transaction, and the database refused its result.
			r.runs[step.WorkflowStepUUID]++
			r.most = max(r.most, r.runs[step.WorkflowStepUUID])
			refused = true
			continue
		}
		if err != nil {
			return false, err
		}
		r.runs[step.WorkflowStepUUID]++
		r.most = max(r.most, r.runs[step.WorkflowStepUUID])
		results = append(results, result)
	}
	for batch := range slices.Chunk(results, maxBatch) {
		reply, err := r.e.ExchangeSteps(r.ctx, direct.Exchange{
			Results: batch, ClaimRequest: direct.ClaimRequest{WorkerUUID: r.id},
		})
		if err != nil {
			return false, err
		}
		for i, answer := range reply.Answers {
			if answer.Answer == gen.ResultAnswerTooLarge || answer.Answer == gen.ResultAnswerBusy {
				return false, fmt.Errorf("the result of step %s was refused: %s", batch[i].StepUUID, answer.Answer)
			}
		}
	}
	return len(results) > 0 || suspended || refused, nil
}

// claim claims steps by their UUIDs.
func (r *runner) claim(ready []executor.StepDetail) (map[uuid.UUID]gen.ClaimedStep, error) {
	claims := map[uuid.UUID]gen.ClaimedStep{}
	if len(ready) >= manySteps {
		if err := r.claimMany(ready, claims); err != nil {
			return nil, err
		}
	}
	for _, step := range ready {
		if _, done := claims[step.WorkflowStepUUID]; done {
			continue
		}
		claimed, err := r.e.ClaimStep(r.ctx, step.WorkflowStepUUID, r.id, 0)
		if errors.Is(err, pgx.ErrNoRows) {
			continue
		}
		if err != nil {
			return nil, err
		}
		claims[step.WorkflowStepUUID] = claimed
	}
	return claims, nil
}

// manySteps is the number of steps from which they are claimed together by their handlers, as workers claim.
const manySteps = 20

// claimMany claims as many of the steps as it finds with few calls, and hands back steps of other tasks.
func (r *runner) claimMany(ready []executor.StepDetail, claims map[uuid.UUID]gen.ClaimedStep) error {
	var handlers []string
	for _, step := range ready {
		handlers = append(handlers, step.Handler)
	}
	slices.Sort(handlers)
	task, err := r.e.GetTask(r.ctx, r.task)
	if err != nil {
		return err
	}
	for len(claims) < len(ready) {
		claimed, err := r.e.ClaimSteps(r.ctx, direct.ClaimRequest{
			WorkerUUID: r.id, Namespaces: []string{task.Namespace}, Handlers: slices.Compact(handlers),
			Limit: min(maxBatch, len(ready)-len(claims)),
		})
		if err != nil {
			return err
		}
		var others []direct.StepClaim
		for _, step := range claimed {
			if step.TaskUUID == r.task {
				claims[step.StepUUID] = step
				continue
			}
			others = append(others, direct.StepClaim{StepUUID: step.StepUUID, ClaimNo: step.ClaimNo})
		}
		if len(others) > 0 {
			_, err := r.e.ReleaseSteps(r.ctx, others)
			return err // the remaining steps one by one
		}
		if len(claimed) == 0 {
			return nil
		}
	}
	return nil
}
