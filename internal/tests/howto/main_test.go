package howto_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/worker"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// create registers a template, given as JSON, as "it" in namespace "guide", and creates a task of it.
func create(t *testing.T, db executor.DBTX, steps, taskContext string) uuid.UUID {
	t.Helper()
	e := executor.New(db)
	_, err := e.RegisterTaskTemplate(t.Context(), json.RawMessage(`{"namespace": "guide", "name": "it", "steps": `+steps+`}`))
	require.NoError(t, err)
	task, err := e.CreateTask(t.Context(), executor.TaskRequest{Namespace: "guide", Name: "it", Context: json.RawMessage(taskContext)})
	require.NoError(t, err)
	return task.TaskUUID
}

// newWorker returns a worker for workertest, which need not run.
func newWorker(t *testing.T) *worker.Worker {
	t.Helper()
	w, err := worker.New(nil, worker.Config{})
	require.NoError(t, err)
	return w
}

// running runs a worker until the test ends.
func running(t *testing.T, w *worker.Worker) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		require.NoError(t, <-ended)
	})
}

// outcome waits until a task has ended or is blocked, and returns its state.
func outcome(t *testing.T, pool *pgxpool.Pool, task uuid.UUID) string {
	t.Helper()
	ended, err := executor.NewClient(pool).Tasks().Wait(t.Context(), task, executor.WaitOptions{ThroughBlocked: true})
	if !errors.As(err, new(*executor.TaskError)) {
		require.NoError(t, err)
	}
	return string(ended.State)
}
