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

func TestOnFailure(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	for _, c := range []struct {
		name    string
		fails   bool
		options []workflow.Option
		state   state.TaskState
		did     []string
	}{
		{"a success", false, nil, state.TaskComplete, []string{"ship", "cleanup after 0"}},
		{"a failure", true, nil, state.TaskComplete, []string{"alert charge: no money", "cleanup after 1"}},
		{"a failure that fails the task", true, []workflow.Option{workflow.FailOnFailure()}, state.TaskError, []string{"alert charge: no money", "cleanup after 1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := workflow.New[basket]("shop", "basket", workflow.FromContent, c.options...)
			var did []string
			charge := workflow.Root(w, "charge", func(context.Context, *workflow.Job[basket]) (int, error) {
				if c.fails {
					return 0, worker.Permanent(errNoMoney)
				}
				return 7, nil
			})
			ship := workflow.Do1(w, "ship", charge, func(context.Context, *workflow.Job[basket], int) error {
				did = append(did, "ship")
				return nil
			})
			workflow.OnFailure(w, "alert", ship, func(_ context.Context, _ *workflow.Job[basket], failed []workflow.Failure) error {
				did = append(did, "alert "+failed[0].Step+": "+failed[0].Error)
				return nil
			})
			workflow.Finally(w, "cleanup", charge.And(ship), func(_ context.Context, _ *workflow.Job[basket], failed []workflow.Failure) error {
				did = append(did, map[int]string{0: "cleanup after 0", 1: "cleanup after 1"}[len(failed)])
				return nil
			})
			report := workertest.RunWorkflow(t, begin(t, pool), w, basket{})
			require.Equal(t, c.state, report.State)
			require.ElementsMatch(t, c.did, did)
		})
	}
}

func TestOnFailure_RefusesConditionsAndBothEndsOfAStep(t *testing.T) {
	t.Parallel()
	w := workflow.New[basket]("shop", "basket", "1")
	a := workflow.Root(w, "a", func(context.Context, *workflow.Job[basket]) (int, error) { return 0, nil })
	none := func(context.Context, *workflow.Job[basket], []workflow.Failure) error { return nil }
	workflow.OnFailure(w, "alert", a.When("$ > 1"), none)
	workflow.Finally(w, "cleanup", nil, none)
	_, err := w.Template()
	require.ErrorContains(t, err, `step "alert": a failure of "a" has no result for the condition "$ > 1"`)
	require.ErrorContains(t, err, `step "cleanup" waits for the end of no step`)
}

func TestJoinFirst_GetsTheFirstResult(t *testing.T) {
	t.Parallel()
	w := workflow.New[basket]("shop", "basket", "1", workflow.DrainOnUndo())
	ups := workflow.Root(w, "ups", func(context.Context, *workflow.Job[basket]) (string, error) { return "ups", nil })
	dhl := workflow.Root(w, "dhl", func(context.Context, *workflow.Job[basket]) (string, error) { return "dhl", nil })
	book := workflow.After1(w, "book", workflow.All(workflow.Optional(ups), workflow.Optional(dhl)),
		func(_ context.Context, _ *workflow.Job[basket], offers []workflow.Maybe[string]) (n int, _ error) {
			for _, o := range offers {
				if o.OK {
					n++
				}
			}
			return n, nil
		}, workflow.JoinFirst())
	report := workertest.RunWorkflow(t, begin(t, pgtest.New(t)), w, basket{})
	require.Equal(t, state.TaskComplete, report.State)
	require.Positive(t, workertest.ResultOf(t, report, book))
	text, err := w.YAML()
	require.NoError(t, err)
	require.Contains(t, string(text), "on_undo: drain\n")
	require.Contains(t, string(text), "join: first\n")
}

var errNoMoney = errors.New("no money")
