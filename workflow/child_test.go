package workflow_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/state"
	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/workertest"
	"github.com/pgtasker/pgtasker/workflow"
)

// parcel is what a shipping packs, and tag what it returns.
type (
	parcel struct {
		Order int      `json:"order"`
		Lines []string `json:"lines"`
	}
	tag struct {
		Code string `json:"code"`
	}
)

func shipping(fails *bool) (*workflow.Workflow[parcel], workflow.Step[parcel, tag]) {
	w := workflow.New[parcel]("shop", "shipping", "1", workflow.AlwaysNew, workflow.FailOnFailure())
	pack := workflow.Root(w, "pack", func(_ context.Context, job *workflow.Job[parcel]) (int, error) {
		if *fails {
			return 0, worker.Permanent(errors.New("no boxes"))
		}
		return len(job.Input.Lines), nil
	})
	return w, workflow.After1(w, "label", pack, func(_ context.Context, job *workflow.Job[parcel], n int) (tag, error) {
		return tag{Code: string(rune('A'+n)) + string(rune('0'+job.Input.Order))}, nil
	})
}

func TestChild_StartsATaskWithAResultAndHasItsResult(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	var fails bool
	child, last := shipping(&fails)
	w := workflow.New[claim]("shop", "purchase", "1", workflow.AlwaysNew)
	pick := workflow.Root(w, "pick", constant[claim](parcel{Order: 7, Lines: []string{"a", "b"}}))
	ship := workflow.Child(w, "ship", child, last, pick, workflow.Retry{Attempts: 2})
	bill := workflow.After1(w, "bill", ship, func(_ context.Context, _ *workflow.Job[claim], l tag) (string, error) {
		return "billed " + l.Code, nil
	})
	require.NoError(t, child.Register(t.Context(), pool))
	require.NoError(t, w.Register(t.Context(), pool))
	run, err := worker.New(nil, worker.Config{})
	require.NoError(t, err)
	child.Handle(run)
	w.Handle(run)

	tx := begin(t, pool)
	task, err := w.Start(t.Context(), tx, claim{7})
	require.NoError(t, err)
	report := workertest.Run(t, tx, run, task.UUID)
	require.Equal(t, state.TaskComplete, report.State)
	require.Equal(t, []string{"pick", "pack", "label", "bill"}, report.Order)
	result, err := bill.Result(t.Context(), tx, task)
	require.NoError(t, err)
	require.Equal(t, "billed C7", result)
	code, err := ship.Result(t.Context(), tx, task)
	require.NoError(t, err)
	require.Equal(t, tag{Code: "C7"}, code)

	fails = true
	task, err = w.Start(t.Context(), tx, claim{8})
	require.NoError(t, err)
	report = workertest.Run(t, tx, run, task.UUID)
	require.Equal(t, state.TaskBlockedByFailures, report.State)
	require.Equal(t, []string{"pick", "pack", "pack"}, report.Order, "each attempt resets the task")
}

func TestChildWithContext_HandsTheContextDown(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	child := workflow.New[claim]("shop", "check", "1", workflow.AlwaysNew)
	look := workflow.Root(child, "look", func(_ context.Context, job *workflow.Job[claim]) (claim, error) { return job.Input, nil })
	w := workflow.New[claim]("shop", "checks", "1", workflow.AlwaysNew)
	first := workflow.ChildWithContext(w, "first", child, look, nil)
	second := workflow.ChildWithContext(w, "second", child, look, first, workflow.Abandon())
	require.NoError(t, child.Register(t.Context(), pool))
	require.NoError(t, w.Register(t.Context(), pool))
	run, err := worker.New(nil, worker.Config{})
	require.NoError(t, err)
	child.Handle(run)
	w.Handle(run)

	tx := begin(t, pool)
	task, err := w.Start(t.Context(), tx, claim{7})
	require.NoError(t, err)
	require.Equal(t, state.TaskComplete, workertest.Run(t, tx, run, task.UUID).State)
	result, err := second.Result(t.Context(), tx, task)
	require.NoError(t, err)
	require.Equal(t, claim{7}, result)
}

func TestChild_TakesTheResultOfALastStep(t *testing.T) {
	t.Parallel()
	child := workflow.New[claim]("shop", "chain", "1")
	one := workflow.Root(child, "one", constant[claim](1))
	workflow.After1(child, "two", one, func(_ context.Context, _ *workflow.Job[claim], n int) (int, error) { return n, nil })
	w := workflow.New[claim]("shop", "user", "1")
	workflow.ChildWithContext(w, "kid", child, one, nil)
	other := workflow.Root(w, "other", constant[claim](1))
	workflow.ChildWithContext(w, "lost", child, other, nil)
	_, err := w.Template()
	require.ErrorContains(t, err, `step "kid": step "one" of workflow shop/chain is none of its last: "two" depends on it`)
	require.ErrorContains(t, err, `step "lost": the step whose result it takes is not one of workflow shop/chain`)
}
