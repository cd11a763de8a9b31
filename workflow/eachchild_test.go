package workflow_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/state"
	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/workertest"
	"github.com/pgtasker/pgtasker/workflow"
)

// boxing packs one parcel; no box holds 13 of anything.
func boxing() (*workflow.Workflow[parcel], workflow.Step[parcel, tag]) {
	w := workflow.New[parcel]("shop", "boxing", "1", workflow.AlwaysNew, workflow.FailOnFailure())
	pack := workflow.Root(w, "pack", func(_ context.Context, job *workflow.Job[parcel]) (int, error) {
		if job.Input.Order == 13 {
			return 0, worker.Permanent(errors.New("no boxes"))
		}
		return len(job.Input.Lines), nil
	})
	return w, workflow.After1(w, "label", pack, func(_ context.Context, job *workflow.Job[parcel], n int) (tag, error) {
		return tag{Code: fmt.Sprintf("%d of %d", n, job.Input.Order)}, nil
	})
}

func TestEachChild_StartsATaskForEachElementAndHasTheResultsInOrder(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	child, last := boxing()
	w := workflow.New[claim]("shop", "dispatch", "1", workflow.AlwaysNew)
	split := workflow.Root(w, "split", func(_ context.Context, job *workflow.Job[claim]) ([]parcel, error) {
		parcels := make([]parcel, job.Input.Number)
		for i := range parcels {
			parcels[i] = parcel{Order: i, Lines: make([]string, i%3)}
		}
		return parcels, nil
	})
	ship := workflow.EachChild(w, "ship", split, child, last, workflow.MaxParallel(2), workflow.Timeout(time.Hour))
	allowed := workflow.EachChildAllowing(w, "try", split.And(ship), 1, child, last)
	bill := workflow.After2(w, "bill", ship, workflow.Optional(allowed),
		func(_ context.Context, _ *workflow.Job[claim], tags []tag, tried workflow.Maybe[[]*tag]) (string, error) {
			return fmt.Sprintf("%d tags, the last is %q, tried %d", len(tags), tags[len(tags)-1].Code, len(tried.Value)), nil
		})
	require.NoError(t, child.Register(t.Context(), pool))
	require.NoError(t, w.Register(t.Context(), pool))
	run, err := worker.New(nil, worker.Config{})
	require.NoError(t, err)
	child.Handle(run)
	w.Handle(run)

	tx := begin(t, pool)
	task, err := w.Start(t.Context(), tx, claim{5})
	require.NoError(t, err)
	report := workertest.Run(t, tx, run, task.UUID)
	require.Equal(t, state.TaskComplete, report.State)
	result, err := bill.Result(t.Context(), tx, task)
	require.NoError(t, err)
	require.Equal(t, `5 tags, the last is "1 of 4", tried 5`, result)
	tags, err := ship.Result(t.Context(), tx, task)
	require.NoError(t, err)
	require.Equal(t, []tag{{"0 of 0"}, {"1 of 1"}, {"2 of 2"}, {"0 of 3"}, {"1 of 4"}}, tags)
}

func TestEachChildAllowing_HasNilForATaskThatFailed(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	child, last := boxing()
	type orders struct {
		Parcels []parcel `json:"parcels"`
	}
	w := workflow.New[orders]("shop", "dispatch", "1", workflow.AlwaysNew)
	ship := workflow.EachChildAllowing(w, "ship", workflow.Elements[parcel](w, "$.parcels"), 1, child, last)
	require.NoError(t, child.Register(t.Context(), pool))
	require.NoError(t, w.Register(t.Context(), pool))
	run, err := worker.New(nil, worker.Config{})
	require.NoError(t, err)
	child.Handle(run)

	tx := begin(t, pool)
	task, err := w.Start(t.Context(), tx, orders{[]parcel{{Order: 12}, {Order: 13}, {Order: 14}}})
	require.NoError(t, err)
	require.Equal(t, state.TaskComplete, workertest.Run(t, tx, run, task.UUID).State)
	tags, err := ship.Result(t.Context(), tx, task)
	require.NoError(t, err)
	require.Equal(t, []*tag{{"0 of 12"}, nil, {"0 of 14"}}, tags)

	task, err = w.Start(t.Context(), tx, orders{[]parcel{{Order: 13}, {Order: 13}}})
	require.NoError(t, err)
	require.Equal(t, state.TaskBlockedByFailures, workertest.Run(t, tx, run, task.UUID).State)
	_, err = ship.Result(t.Context(), tx, task)
	require.ErrorContains(t, err, "2 of its 2 elements failed, and allow_failures is 1")
}

func TestEachChild_RefusesWhatHasNoMeaning(t *testing.T) {
	t.Parallel()
	child, last := boxing()
	w := workflow.New[claim]("shop", "dispatch", "1", workflow.AlwaysNew)
	list := workflow.Root(w, "list", constant[claim]([]parcel(nil)))
	pack := workflow.EachChild(w, "pack", list, child, workflow.Step[parcel, int]{})
	workflow.EachChild(w, "again", workflow.All(workflow.Root(w, "one", constant[claim](parcel{}))), child, last)
	_ = pack
	err := w.Register(t.Context(), nil)
	require.ErrorContains(t, err, `step "pack": the step whose result it takes is not one of workflow shop/boxing`)
	require.ErrorContains(t, err, "Each runs over the result of one step")
}
