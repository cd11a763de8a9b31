package tasklib_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/tasklib"
)

type numbers struct {
	A int `json:"a"`
	B int `json:"b"`
}

// syncBuffer is a log that may be read while it is written.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// newClient returns a client whose log the test shows if it fails.
func newClient(t *testing.T, pool *pgxpool.Pool, config tasklib.Config) *tasklib.Client {
	t.Helper()
	log := &syncBuffer{}
	config.Logger = slog.New(slog.NewTextHandler(log, nil))
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(log)
		}
	})
	return tasklib.NewClient(pool, config)
}

// start runs a worker until stop is called, at the latest when the test ends.
func start(t *testing.T, client *tasklib.Client, config tasklib.WorkerConfig) (w *tasklib.Worker, stop func()) {
	t.Helper()
	if config.PollInterval == 0 {
		config.PollInterval = 10 * time.Millisecond // tests that move the clock announce nothing
	}
	w = client.NewWorker(config)
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan error, 1)
	go func() { done <- w.Run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		require.NoError(t, <-done)
	})
	t.Cleanup(stop)
	return w, stop
}

// await asks until the condition holds: the database has no event for what other sessions do.
func await(t *testing.T, what string, condition func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !condition() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatal("waited in vain: " + what)
		}
	}
}

// awaitState waits until a task is in this state and returns it.
func awaitState(t *testing.T, client *tasklib.Client, id uuid.UUID, state tasklib.State) (details tasklib.Details) {
	t.Helper()
	await(t, fmt.Sprintf("task %s is %s", id, state), func() bool {
		var err error
		details, err = client.Functions().GetTask(t.Context(), id)
		require.NoError(t, err)
		return details.State == state
	})
	return details
}

func exec(t *testing.T, pool *pgxpool.Pool, sql string, args ...any) {
	t.Helper()
	_, err := pool.Exec(t.Context(), sql, args...)
	require.NoError(t, err)
}

func query[T any](t *testing.T, pool *pgxpool.Pool, sql string, args ...any) (value T) {
	t.Helper()
	require.NoError(t, pool.QueryRow(t.Context(), sql, args...).Scan(&value))
	return value
}
