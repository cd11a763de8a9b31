package workflow_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/state"
	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/workertest"
	"github.com/pgtasker/pgtasker/workflow"
)

type packed struct {
	Label string `json:"label"`
}

// packing packs each line of an order; of the labels, every third cannot be printed.
func packing(lines []int) (*workflow.Workflow[claim], workflow.Step[claim, []*string], workflow.Step[claim, string]) {
	w := workflow.New[claim]("shop", "packing", "1", workflow.AlwaysNew)
	list := workflow.Root(w, "list", func(context.Context, *workflow.Job[claim]) ([]int, error) { return lines, nil })
	parcels := workflow.Each(w, "pack", list, func(_ context.Context, job *workflow.Job[claim], line int) (packed, error) {
		return packed{fmt.Sprintf("%d of %d", line, job.Input.Number)}, nil
	}, workflow.MaxParallel(2))
	labels := workflow.EachAllowing(w, "print", parcels, 1, func(_ context.Context, _ *workflow.Job[claim], p packed) (string, error) {
		if p.Label == "2 of 7" {
			return "", worker.Permanent(errors.New("no paper"))
		}
		return "label " + p.Label, nil
	})
	total := workflow.After2(w, "total", labels, parcels,
		func(_ context.Context, _ *workflow.Job[claim], labels []*string, parcels []packed) (string, error) {
			printed := 0
			for _, label := range labels {
				if label != nil {
					printed++
				}
			}
			return fmt.Sprintf("%d of %d", printed, len(parcels)), nil
		})
	return w, labels, total
}

func TestEach_HandsTheElementsToTheFunctionAndTheResultsOn(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lines  []int
		labels []string
		total  string
	}{
		"five lines": {[]int{0, 1, 2, 3, 4}, []string{"label 0 of 7", "label 1 of 7", "", "label 3 of 7", "label 4 of 7"}, "4 of 5"},
		"no lines":   {nil, nil, "0 of 0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pool := pgtest.New(t)
			w, labels, total := packing(c.lines)
			require.NoError(t, w.Register(t.Context(), pool))
			task, err := w.Start(t.Context(), pool, claim{7})
			require.NoError(t, err)
			run, err := worker.New(nil, worker.Config{})
			require.NoError(t, err)
			w.Handle(run)

			report := workertest.Run(t, pool, run, task.UUID)
			require.Equal(t, state.TaskComplete, report.State)
			result, err := total.Result(t.Context(), pool, task)
			require.NoError(t, err)
			require.Equal(t, c.total, result)
			printed, err := labels.Result(t.Context(), pool, task)
			require.NoError(t, err)
			require.Len(t, printed, len(c.labels))
			for i, label := range printed {
				if c.labels[i] == "" {
					require.Nil(t, label)
				} else {
					require.Equal(t, c.labels[i], *label)
				}
			}
		})
	}
}

func TestEach_IsTheTemplateThatYAMLMakes(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	w, _, _ := packing(nil)
	require.NoError(t, w.Register(t.Context(), pool))
	again, err := executor.New(pool).RegisterTaskTemplate(t.Context(), []byte(`{
		"namespace": "shop", "name": "packing", "version": "1", "identity_strategy": "always_unique", "steps": [
		{"name": "list", "handler": "shop.packing:1.list"},
		{"name": "pack", "handler": "shop.packing:1.pack", "dependencies": ["list"], "for_each": {"step": "list"}, "max_parallel": 2},
		{"name": "print", "handler": "shop.packing:1.print", "dependencies": ["pack"], "for_each": {"step": "pack"}, "allow_failures": 1},
		{"name": "total", "handler": "shop.packing:1.total", "dependencies": ["pack", "print"]}]}`))
	require.NoError(t, err)
	require.False(t, again.Created)
}

func TestEach_RefusesWhatIsNoListOfOneStep(t *testing.T) {
	t.Parallel()
	w := workflow.New[claim]("shop", "wrong", "1")
	one := workflow.Root(w, "one", constant[claim](1))
	workflow.Each(w, "each", workflow.All(one), func(context.Context, *workflow.Job[claim], int) (int, error) { return 0, nil })
	require.ErrorContains(t, w.Register(t.Context(), nil), `step "each": Each runs over the result of one step`)

	other := workflow.New[claim]("shop", "wrong", "1")
	workflow.Root(other, "one", constant[claim](1), workflow.MaxParallel(2))
	require.ErrorContains(t, other.Register(t.Context(), nil), `step "one" has MaxParallel, which is for Each`)
}
