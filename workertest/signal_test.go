package workertest_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/state"
	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/workertest"
)

func TestRun_StopsAtAWaitThatATestAnswers(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	ctx := t.Context()
	tx, err := pool.Begin(ctx)
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(ctx) }()
	e := executor.New(tx)
	_, err = e.RegisterTaskTemplate(ctx, json.RawMessage(`{"namespace": "shop", "name": "order", "identity_strategy": "always_unique",
		"steps": [
			{"name": "pack"},
			{"name": "approve", "dependencies": ["pack"], "await": {"signal": "approved"}, "timeout": "3d", "on_timeout": "complete"},
			{"name": "cool", "dependencies": ["approve"], "await": {"for": "2h"}},
			{"name": "ship", "dependencies": ["cool"]}]}`))
	require.NoError(t, err)
	w, err := worker.New(pool, worker.Config{})
	require.NoError(t, err)
	for _, name := range []string{"pack", "ship"} {
		worker.Handle(w, name, func(context.Context, *worker.Job[struct{}]) (string, error) { return name, nil })
	}

	clock := workertest.FreezeClock(t, tx, time.Now().Truncate(time.Second))
	start := clock.Now()
	for _, answered := range []bool{true, false} {
		task, err := e.CreateTask(ctx, executor.TaskRequest{Namespace: "shop", Name: "order"})
		require.NoError(t, err)
		report := clock.Run(w, task.TaskUUID)
		require.Equal(t, []string{"approve"}, report.Waiting, report)
		require.Contains(t, report.String(), `step "approve" waits for a signal`)
		took := 2 * time.Hour
		if answered {
			require.Equal(t, executor.Delivered, workertest.Signal(t, tx, task.TaskUUID, "approved", map[string]bool{"ok": true}))
		} else {
			clock.Advance(72 * time.Hour)
			took += 72 * time.Hour
		}
		report = clock.Run(w, task.TaskUUID)
		require.Equal(t, state.TaskComplete, report.State, report)
		require.Equal(t, []string{"ship"}, report.Order)
		require.Equal(t, took, clock.Now().Sub(start))
		start = clock.Now()
	}
}
