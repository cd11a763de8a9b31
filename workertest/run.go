package workertest

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/state"
	"github.com/pgtasker/pgtasker/worker"
)

// maxRuns bounds the attempts of one Run, for a handler that asks for another one for ever.
const maxRuns = 10_000

// Report is what has become of a task.
type Report struct {
	State state.TaskState
	Task  gen.TaskDetail
	// Steps in the order of their numbers.
	Steps []gen.StepDetail
	// Order is the names of the steps that were run, each attempt once.
	Order []string
}

// Step returns a step by its name, and fails the test if there is none.
func (r Report) Step(t testing.TB, name string) gen.StepDetail {
	t.Helper()
	for _, step := range r.Steps {
		if step.Name == name {
			return step
		}
	}
	t.Fatalf("workertest: the task has no step %q", name)
	return gen.StepDetail{}
}

// Result returns the results of a step, and fails the test if it has none or of another type.
func Result[T any](t testing.TB, r Report, name string) (value T) {
	t.Helper()
	step := r.Step(t, name)
	if step.State != state.StepComplete && step.State != state.StepResolvedManually {
		t.Fatalf("workertest: step %q has no results: it is %s", name, step.State)
	}
	if err := json.Unmarshal(step.Results, &value); err != nil {
		t.Fatalf("workertest: the result of step %q: %v; it is %s", name, err, step.Results)
	}
	return value
}

// Run does a task's steps with the handlers of w, one after the other in the test's goroutine, until nothing
// is left that can be done: at once, also where a retry would wait. db is a transaction, so that
// everything can be rolled back, or a pool. It fails the test if a handler is missing.
func Run(t testing.TB, db executor.DBTX, w *worker.Worker, task uuid.UUID) Report {
	t.Helper()
	return run(t, db, w, task, true)
}

// RunReady is Run without skipping the waits: it does what is ready now, and what becomes ready by that.
func RunReady(t testing.TB, db executor.DBTX, w *worker.Worker, task uuid.UUID) Report {
	t.Helper()
	return run(t, db, w, task, false)
}

func run(t testing.TB, db executor.DBTX, w *worker.Worker, task uuid.UUID, skipWaits bool) Report {
	t.Helper()
	r := &runner{ctx: t.Context(), db: db, e: executor.New(db), w: w, task: task, id: uuid.New()}
	report, err := r.run(skipWaits)
	if err != nil {
		t.Fatal("workertest:", err)
	}
	return report
}

type runner struct {
	ctx  context.Context
	db   executor.DBTX
	e    *executor.SqlFunctionExecutor
	w    *worker.Worker
	task uuid.UUID
	id   uuid.UUID
}

func (r *runner) run(skipWaits bool) (report Report, err error) {
	var order []string
	for {
		if _, err := r.e.FireDueTimers(r.ctx, 1000); err != nil {
			return report, err
		}
		if report.Steps, err = r.e.ListSteps(r.ctx, r.task); err != nil {
			return report, err
		}
		moved := false
		for _, step := range report.Steps {
			did, err := r.move(step, skipWaits)
			if err != nil {
				return report, err
			}
			if did && step.State == state.StepEnqueued {
				order = append(order, step.Name)
			}
			moved = moved || did
		}
		if len(order) > maxRuns {
			return report, errors.New("the task does not come to an end")
		}
		if !moved {
			break
		}
	}
	report.Order = order
	report.Task, err = r.e.GetTask(r.ctx, r.task)
	report.State = report.Task.State
	return report, err
}

// move does a step that is ready, or ends its wait, and says whether it could.
func (r *runner) move(step gen.StepDetail, skipWaits bool) (bool, error) {
	switch step.State {
	case state.StepEnqueued:
		return r.do(step.WorkflowStepUUID)
	case state.StepWaitingForRetry:
		if skipWaits {
			return r.e.SetStepBackoffAtomic(r.ctx, step.WorkflowStepUUID, 0)
		}
	}
	return false, nil
}

func (r *runner) do(step uuid.UUID) (bool, error) {
	claimed, err := r.e.ClaimStep(r.ctx, step, r.id, 0)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil // its namespace is paused, or a step before has cancelled it
	}
	if err != nil {
		return false, err
	}
	result, err := r.w.Do(r.ctx, r.db, claimed)
	if err != nil {
		return false, err
	}
	record := r.e.CompleteSteps
	if result.Error != "" {
		record = r.e.FailSteps
	}
	answers, err := record(r.ctx, []executor.StepResult{result})
	if err != nil {
		return false, err
	}
	if answer := answers[0].Answer; answer == "too_large" || answer == "busy" {
		return false, errors.New("the result of step " + claimed.Name + " was refused: " + answer)
	}
	return true, nil
}
