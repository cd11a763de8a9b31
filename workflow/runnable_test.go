package workflow_test

import (
	"context"
	"encoding/json"
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

// TestRun_GivesADurableFunctionTheResultsOfTasks runs a function that starts one task, then many, of which one fails, and one of
// a workflow that nobody has registered.
func TestRun_GivesADurableFunctionTheResultsOfTasks(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	child, label := boxing()
	gone := workflow.New[parcel]("shop", "gone", "1", workflow.AlwaysNew)
	never := workflow.Root(gone, "never", constant[parcel](0))

	w := workflow.New[claim]("shop", "hamper", "1", workflow.AlwaysNew)
	runs := 0
	fill := workflow.Root(w, "fill", func(ctx context.Context, job *workflow.Job[claim]) (string, error) {
		runs++
		first, err := worker.Run(ctx, job, "first", label, parcel{Order: job.Input.Number, Lines: []string{"a"}})
		if err != nil {
			return "", err
		}
		all, err := worker.RunAll(ctx, job, "all", label, []parcel{{Order: 12}, {Order: 13}, {Order: 14, Lines: []string{"b", "c"}}})
		var failed *worker.KeptError
		if !errors.As(err, &failed) {
			return "", fmt.Errorf("the failure of a task is %w", err)
		}
		none, err := worker.RunAll(ctx, job, "none", label, nil)
		if len(none) > 0 || err != nil {
			return "", errors.New("no inputs have results")
		}
		_, err = worker.Run(ctx, job, "gone", never, parcel{})
		return fmt.Sprintf("%s; %s, %q, %s; %v", first.Code, all[0].Code, all[1].Code, all[2].Code, err), nil
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
	result, err := fill.Result(t.Context(), tx, task)
	require.NoError(t, err)
	require.Equal(t, `1 of 7; 0 of 12, "", 2 of 14; gone: template "shop/gone" version "1" does not exist`, result)
	require.Equal(t, 4, runs, "the function waits three times")
	tree, err := executor.New(tx).GetTaskTree(t.Context(), task.UUID, 100)
	require.NoError(t, err)
	require.Len(t, tree, 5)
}

func TestRun_IsToldWhatIsNoWork(t *testing.T) {
	t.Parallel()
	child, label := boxing()
	for name, c := range map[string]struct {
		work workflow.Step[parcel, int]
		want string
	}{
		"no step":      {workflow.Step[parcel, int]{}, `Run("x"): the step belongs to no workflow`},
		"no last step": {workflow.Root(child, "other", constant[parcel](0)), ``},
	} {
		if name == "no last step" {
			workflow.After2(child, "more", label, c.work, func(context.Context, *workflow.Job[parcel], tag, int) (int, error) { return 0, nil })
			c.want = `Run("x"): step "other" of workflow shop/boxing is none of its last: "more" depends on it`
		}
		t.Run(name, func(t *testing.T) {
			_, err := workertest.NewFunction(t, func(ctx context.Context, job *worker.Job[claim]) (int, error) {
				return worker.Run(ctx, job, "x", c.work, parcel{})
			}, workertest.Step{}).Run()
			require.EqualError(t, err, c.want)
		})
	}
}

func TestRun_StartsEachTaskOnceWhereverTheWorkerIsLost(t *testing.T) {
	t.Parallel()
	_, label := boxing()
	workertest.CrashEverywhere(t, func(t *testing.T) *workertest.Function[claim, string] {
		f := workertest.NewFunction(t, func(ctx context.Context, job *worker.Job[claim]) (string, error) {
			one, err := worker.Run(ctx, job, "one", label, parcel{Order: 1})
			if err != nil {
				return "", err
			}
			two, err := worker.RunAll(ctx, job, "two", label, []parcel{{Order: 2}, {Order: 13}})
			if err == nil {
				return "", errors.New("13 must fail")
			}
			return one.Code + two[0].Code + two[1].Code, nil
		}, workertest.Step{Context: claim{1}})
		asked := 0
		t.Cleanup(func() { require.Equal(t, 3, asked) })
		f.Task("boxing", func(raw json.RawMessage) (any, error) {
			asked++
			var p parcel
			require.NoError(t, json.Unmarshal(raw, &p))
			if p.Order == 13 {
				return nil, errors.New("no boxes")
			}
			return map[string]tag{"label": {Code: fmt.Sprint(p.Order)}}, nil
		})
		return f
	}, func(t *testing.T, _ *workertest.Function[claim, string], out string, err error) {
		require.NoError(t, err)
		require.Equal(t, "12", out)
	})
}
