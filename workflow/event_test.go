package workflow_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/state"
	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/workertest"
	"github.com/pgtasker/pgtasker/workflow"
)

func TestAwait_HandsAnEventToEveryTaskThatWaitsForIt(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	opened := workflow.Event[signed]("market_open")
	w := workflow.New[claim]("shop", "trade", "1", workflow.AlwaysNew)
	answer := workflow.Await(w, "open", opened.About("XETRA"), workflow.Waiting{When: `$.name != ""`, LookBack: time.Hour}, nil)
	filed := workflow.After1(w, "file", answer,
		func(_ context.Context, _ *workflow.Job[claim], a workflow.Answer[signed]) (string, error) {
			return a.By + " " + a.Name + " " + a.Key + " " + a.Payload.Name, nil
		})
	workflow.Await(w, "close", workflow.Event[struct{}]("market_close"), workflow.Waiting{}, nil)
	require.NoError(t, w.Register(t.Context(), pool))
	tx := begin(t, pool)
	run, err := worker.New(nil, worker.Config{})
	require.NoError(t, err)
	w.Handle(run)
	var tasks []workflow.Task[claim]
	for i := range 2 {
		task, err := w.Start(t.Context(), tx, claim{i})
		require.NoError(t, err)
		workertest.Run(t, tx, run, task.UUID)
		tasks = append(tasks, task)
	}

	emitted, err := opened.About("XETRA").Emit(t.Context(), tx, "shop", signed{"Ann"}, workflow.SendOptions{Key: "evt 1"})
	require.NoError(t, err)
	require.False(t, emitted.Repeated)
	again, err := opened.About("XETRA").Emit(t.Context(), tx, "shop", signed{"Ann"}, workflow.SendOptions{Key: "evt 1"})
	require.NoError(t, err)
	require.True(t, again.Repeated)
	require.Equal(t, emitted.EventUUID, again.EventUUID)
	_, err = opened.Emit(t.Context(), tx, "shop", signed{"missing"})
	require.NoError(t, err)
	for _, task := range tasks {
		report := workertest.Run(t, tx, run, task.UUID)
		require.Equal(t, []string{"close"}, report.Waiting)
		result, err := filed.Result(t.Context(), tx, task)
		require.NoError(t, err)
		require.Equal(t, "event market_open XETRA Ann", result)
	}
	_, err = workflow.Event[struct{}]("market_close").Emit(t.Context(), tx, "shop", struct{}{})
	require.NoError(t, err)
	require.Equal(t, state.TaskComplete, workertest.Run(t, tx, run, tasks[0].UUID).State)

	_, err = workflow.Event[chan int]("market_open").Emit(t.Context(), tx, "shop", nil)
	require.ErrorContains(t, err, `event "market_open": json: unsupported type`)
}
