package tasklib_test

import (
	"context"
	"runtime"
	"slices"
	"sync"
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

// Tenants with a limit of one each: no two tasks of one run at once, and one with few tasks does not wait for one with many.
func TestWorker_GivesLimitKeysTurns(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	client := newClient(t, pool, tasklib.Config{})
	var mu sync.Mutex
	running, most, started := map[int]int{}, 0, []int{}
	task, err := tasklib.Register(client, "tenant", func(_ context.Context, in numbers) (int, error) {
		mu.Lock()
		running[in.A]++
		most, started = max(most, running[in.A]), append(started, in.A)
		mu.Unlock()
		runtime.Gosched()
		mu.Lock()
		defer mu.Unlock()
		running[in.A]--
		return 1, nil
	}, tasklib.Options{KeyConcurrencyLimit: 1})
	require.NoError(t, err)
	require.NoError(t, client.Sync(t.Context()))
	_, err = task.SubmitMany(t.Context(), pool, slices.Repeat([]numbers{{A: 1}}, 100), tasklib.SubmitOptions{LimitKey: "one"})
	require.NoError(t, err)
	_, err = task.SubmitMany(t.Context(), pool, []numbers{{A: 2}, {A: 3}}, tasklib.SubmitOptions{LimitKeys: []string{"two", "three"}})
	require.NoError(t, err)
	_, err = task.Submit(t.Context(), pool, numbers{A: 2}, tasklib.SubmitOptions{LimitKey: "two"})
	require.NoError(t, err)

	start(t, client, tasklib.WorkerConfig{Concurrency: 2, PollInterval: time.Hour})
	start(t, client, tasklib.WorkerConfig{Concurrency: 2, PollInterval: time.Hour})
	await(t, "all are done", func() bool {
		return query[int](t, pool, "select count(*) from tasklib.tasks where state = 'completed'") == 103
	})
	require.Equal(t, 1, most, "never two of a tenant at once")
	require.Less(t, slices.Index(started, 3), 10, "a tenant with one task does not wait for one with a hundred")
}

// A worker that does not poll wakes when the rate of a key allows its next task.
func TestWorker_RunsLimitKeysAtTheirRate(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	client := newClient(t, pool, tasklib.Config{})
	task, err := tasklib.Register(client, "tenant", func(context.Context, numbers) (int, error) { return 1, nil },
		tasklib.Options{KeyRateLimit: 5, KeyRatePeriod: 100 * time.Millisecond})
	require.NoError(t, err)
	require.NoError(t, client.Sync(t.Context()))
	_, err = task.SubmitMany(t.Context(), pool, make([]numbers, 20), tasklib.SubmitOptions{LimitKey: "one"})
	require.NoError(t, err)
	_, err = task.SubmitMany(t.Context(), pool, make([]numbers, 3), tasklib.SubmitOptions{LimitKey: "two"})
	require.NoError(t, err)
	began := time.Now()
	start(t, client, tasklib.WorkerConfig{Concurrency: 50, PollInterval: time.Hour})
	await(t, "all are done", func() bool {
		return query[int](t, pool, "select count(*) from tasklib.tasks where state = 'completed'") == 23
	})
	require.Greater(t, time.Since(began), 250*time.Millisecond, "15 after the first five, 50 a second")
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
