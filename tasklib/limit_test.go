package tasklib_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/tasklib"
)

// drainLimited has a worker that never polls run n tasks of a name under limits, and returns how many ran at once.
func drainLimited(t *testing.T, n int, options tasklib.Options, run time.Duration) (most int64, took time.Duration) {
	t.Helper()
	pool := pgtest.New(t)
	client := newClient(t, pool, tasklib.Config{})
	var running, peak atomic.Int64
	task, err := tasklib.Register(client, "limited", func(ctx context.Context, _ numbers) (int, error) {
		now := running.Add(1)
		defer running.Add(-1)
		for before := peak.Load(); now > before && !peak.CompareAndSwap(before, now); before = peak.Load() {
		}
		select {
		case <-ctx.Done():
		case <-time.After(run):
		}
		return 1, nil
	}, options)
	require.NoError(t, err)
	require.NoError(t, client.Sync(t.Context()))
	_, err = task.SubmitMany(t.Context(), pool, make([]numbers, n))
	require.NoError(t, err)

	began := time.Now()
	start(t, client, tasklib.WorkerConfig{Concurrency: 50, PollInterval: time.Hour})
	await(t, "all are done", func() bool {
		return query[int](t, pool, "select count(*) from tasklib.tasks where state = 'completed'") == n
	})
	return peak.Load(), time.Since(began)
}

func TestWorker_RunsALimitedNameAtItsLimit(t *testing.T) {
	t.Parallel()
	most, _ := drainLimited(t, 60, tasklib.Options{ConcurrencyLimit: 5}, time.Millisecond)
	require.LessOrEqual(t, most, int64(5))
}

func TestWorker_RunsALimitedNameAtItsRate(t *testing.T) {
	t.Parallel()
	_, took := drainLimited(t, 30, tasklib.Options{RateLimit: 5, RatePeriod: 100 * time.Millisecond}, 0)
	require.Greater(t, took, 400*time.Millisecond, "25 after the first five, 50 a second")
}

func TestWorker_RunsALimitedNameAtItsLimitAndRate(t *testing.T) {
	t.Parallel()
	most, _ := drainLimited(t, 20, tasklib.Options{ConcurrencyLimit: 2, RateLimit: 4, RatePeriod: 20 * time.Millisecond}, time.Millisecond)
	require.LessOrEqual(t, most, int64(2))
}
