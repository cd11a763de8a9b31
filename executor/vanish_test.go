package executor_test

import (
	"context"
	"log/slog"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/state"
)

// deaf is a connection whose server vanishes: what is sent is lost, and nothing answers or ends it.
type deaf struct {
	net.Conn
	gone *atomic.Bool
}

func (d deaf) Write(p []byte) (int, error) {
	if d.gone.Load() {
		return len(p), nil
	}
	return d.Conn.Write(p)
}

// vanishing returns a pool with one connection to the same database, and a function that has the server vanish from it. The next
// connection that the pool opens reaches the server.
func vanishing(t *testing.T, pool *pgxpool.Pool) (*pgxpool.Pool, func()) {
	t.Helper()
	config := pool.Config()
	config.MaxConns = 1
	dial := config.ConnConfig.DialFunc
	var newest atomic.Pointer[atomic.Bool]
	config.ConnConfig.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		gone := &atomic.Bool{}
		newest.Store(gone)
		return deaf{conn, gone}, err
	}
	far, err := pgxpool.NewWithConfig(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(far.Close)
	return far, func() { newest.Load().Store(true) }
}

// vanishWithin bounds a query of these tests.
const vanishWithin = time.Second

func TestTasks_WatchGoesOnAfterItsServerHasVanished(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	pool := pgtest.New(t)
	created := fillFeed(t, pool)
	far, vanish := vanishing(t, pool)
	options := executor.WaitOptions{PollInterval: 10 * time.Millisecond}.Within(vanishWithin)
	for task, err := range executor.NewClient(far).Tasks().Watch(ctx, created, options) {
		require.NoError(t, err)
		if task.State == state.TaskCancelled {
			return
		}
		vanish()
		_, err = executor.New(pool).CancelTask(ctx, created, "", "")
		require.NoError(t, err)
	}
	require.Fail(t, "the task was not seen to be cancelled")
}

func TestSubscribe_GoesOnAfterItsServerHasVanished(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	pool := pgtest.New(t)
	far, vanish := vanishing(t, pool)
	e := executor.New(pool)
	_, err := e.Subscribe(ctx, sqlfn.SubscribeParams{Subscription: "all"})
	require.NoError(t, err)
	fillFeed(t, pool)
	seen, done := make(chan uuid.UUID, 100), make(chan error, 1)
	config := executor.SubscribeConfig{Subscription: "all", PollInterval: 10 * time.Millisecond, Logger: slog.New(slog.DiscardHandler)}.Within(vanishWithin)
	go func() {
		done <- executor.NewClient(far).Feed().Consume(ctx, config, func(_ context.Context, events []executor.FeedEvent) error {
			for _, event := range events {
				seen <- event.TaskUUID
			}
			return nil
		})
	}()
	require.Eventually(t, func() bool {
		list, err := e.ListSubscriptions(ctx, "all")
		return err == nil && list[0].Delivered > 0
	}, time.Minute, time.Millisecond, "it is acknowledged, and the next call reads")
	vanish()
	for created := fillFeed(t, pool); ; {
		select {
		case task := <-seen:
			if task != created {
				continue
			}
		case <-ctx.Done():
			require.Fail(t, "Subscribe hangs")
		}
		break
	}
	cancel()
	require.NoError(t, <-done)
}

func TestSubscribe_WaitsForAServerThatHasVanishedBeforeItsSubscriptionIsMade(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	pool := pgtest.New(t)
	far, vanish := vanishing(t, pool)
	require.NoError(t, far.Ping(ctx))
	vanish()
	done := make(chan error, 1)
	config := executor.SubscribeConfig{Subscription: "all", Filter: &executor.FeedFilter{}, Logger: slog.New(slog.DiscardHandler)}.Within(vanishWithin)
	go func() {
		done <- executor.NewClient(far).Feed().Consume(ctx, config, func(context.Context, []executor.FeedEvent) error { return nil })
	}()
	require.Eventually(t, func() bool {
		list, err := executor.New(pool).ListSubscriptions(ctx, "all")
		return err == nil && len(list) == 1
	}, time.Minute, time.Millisecond, "it asks again")
	cancel()
	require.NoError(t, <-done)
}

// fillFeed creates a task, and so events.
func fillFeed(t *testing.T, pool *pgxpool.Pool) uuid.UUID {
	t.Helper()
	e := executor.New(pool)
	_, err := e.RegisterTaskTemplate(t.Context(), []byte(`{"namespace": "shop", "name": "wait", "identity_strategy": "always_unique", "steps": [{"name": "a"}]}`))
	require.NoError(t, err)
	task, err := e.CreateTask(t.Context(), executor.TaskRequest{Namespace: "shop", Name: "wait"})
	require.NoError(t, err)
	return task.TaskUUID
}
