package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/pgtest/pgserver"
	"github.com/pgtasker/pgtasker/internal/tests/replaytest"
	"github.com/pgtasker/pgtasker/worker"
)

// runs counts how often each step's handler has run, and which of these runs were told to the worker.
type runs struct {
	mutex sync.Mutex
	of    map[uuid.UUID]int
}

func (r *runs) handle(w *worker.Worker) {
	w.Use(func(next worker.HandlerFunc) worker.HandlerFunc {
		return func(ctx context.Context, step *worker.Step) (json.RawMessage, error) {
			r.mutex.Lock()
			r.of[step.StepUUID]++
			r.mutex.Unlock()
			return next(ctx, step)
		}
	})
	handle(w)
}

// either returns a pool on whichever of two servers takes writes.
func either(t *testing.T, database string, servers ...*pgserver.Server) *pgxpool.Pool {
	t.Helper()
	first, err := url.Parse(servers[0].URL)
	require.NoError(t, err)
	query := first.Query()
	for _, other := range servers[1:] {
		also, err := url.Parse(other.URL)
		require.NoError(t, err)
		query.Set("host", query.Get("host")+","+also.Query().Get("host"))
	}
	query.Set("target_session_attrs", "read-write")
	query.Set("connect_timeout", "2")
	first.Path, first.RawQuery = "/"+database, query.Encode()
	pool, err := pgxpool.New(t.Context(), first.String())
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	return pool
}

// In the middle of the work of two cells the server of one is ended, and its standby, which had to confirm each commit,
// takes over. All that was created is done, each cell's work once but for what was running.
func TestStorm_AStandbyOfACellTakesOver(t *testing.T) {
	t.Parallel()
	first, server := pgtest.NewPrivate(t)
	standby, err := server.StartStandby(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, standby.Stop()) })
	for _, sql := range []string{
		"alter system set synchronous_standby_names = '*'", "alter system set synchronous_commit = on", "select pg_reload_conf()",
	} {
		_, err = first.Exec(t.Context(), sql)
		require.NoError(t, err)
	}
	c := cells(t, either(t, first.Config().ConnConfig.Database, server, standby), pgtest.New(t))
	require.NoError(t, c.Settle(t.Context(), "mail", "b"))
	_, err = c.all[1].Pool.Exec(t.Context(), `select tasker.register_task_template('{"namespace": "mail", "name": "order",
		"identity_strategy": "caller_provided", "steps": [{"name": "charge"}, {"name": "ship", "dependencies": ["charge"]}]}')`)
	require.NoError(t, err)

	const orders = 60
	ctx, stop := context.WithCancel(t.Context())
	worked := make(chan error, 1)
	ran := &runs{of: map[uuid.UUID]int{}}
	go func() {
		worked <- c.Work(ctx, 20, ran.handle, worker.Config{Lease: 5 * time.Second, Logger: slog.New(slog.DiscardHandler)})
	}()
	tasks := map[uuid.UUID]*Cell{}
	for i := range orders {
		if i == orders/2 {
			takeOver(t, first, server, standby)
		}
		for _, namespace := range []string{"shop", "mail"} {
			request := order(i)
			request.Namespace = namespace
			started := persistently(t, c, request)
			cell, err := c.named(started.Cell)
			require.NoError(t, err)
			tasks[started.TaskUUID] = cell
		}
	}

	for task, cell := range tasks {
		detail, err := executor.NewClient(cell.Pool).Tasks().Wait(t.Context(), task, executor.WaitOptions{ThroughBlocked: true})
		require.NoError(t, err)
		require.Equal(t, "complete", string(detail.State))
	}
	stop()
	require.NoError(t, <-worked)
	require.Len(t, ran.of, 2*2*orders)
	again := 0
	for _, n := range ran.of {
		again += n - 1
	}
	// Only what had no result that was recorded may have run again: at most a cell's places, and what was claimed ahead.
	require.LessOrEqual(t, again, 20, "of %d", len(ran.of))
	for _, cell := range c.all {
		rows, err := cell.Pool.Query(t.Context(), "select c.object || ': ' || c.problem from tasker.check_integrity() as c")
		require.NoError(t, err)
		problems, err := pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(t, err)
		require.Empty(t, problems)
		require.Positive(t, replaytest.Recorded(t, cell.Pool))
	}
}

// persistently repeats a request until it is answered: its key makes it one task.
func persistently(t *testing.T, c *Cells, request executor.TaskRequest) Started {
	t.Helper()
	for {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		started, err := c.Start(ctx, request)
		cancel()
		if err == nil {
			return started
		}
		require.NoError(t, t.Context().Err(), fmt.Sprint(err))
	}
}

// takeOver ends a server at once and makes its standby the one that takes writes.
func takeOver(t *testing.T, pool *pgxpool.Pool, server, standby *pgserver.Server) {
	t.Helper()
	require.NoError(t, server.End())
	following, err := url.Parse(standby.URL)
	require.NoError(t, err)
	following.Path = "/" + pool.Config().ConnConfig.Database
	conn, err := pgx.Connect(t.Context(), following.String())
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(t.Context())) }()
	for _, sql := range []string{"alter system set synchronous_standby_names = ''", "select pg_reload_conf()"} {
		_, err = conn.Exec(t.Context(), sql)
		require.NoError(t, err)
	}
	var promoted bool
	require.NoError(t, conn.QueryRow(t.Context(), "select pg_promote()").Scan(&promoted))
	require.True(t, promoted)
}
