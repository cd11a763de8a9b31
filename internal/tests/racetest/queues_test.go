package racetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// Two sessions create a queue of the same name at the same time. The second session waits for the first session, and finds the
// queue that it has created.
func TestEnsureTaskQueue_TwoSessionsMakeOneQueue(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t, pgtest.MaxConns(4))
	for _, at := range []struct {
		name          string
		first, second string
		commit        bool
		refused       bool
	}{
		{name: "the first commits", first: "raced", second: "raced", commit: true},
		{name: "the first rolls back", first: "undone", second: "undone"},
		{name: "the names differ in case", first: "Cased", second: "cased", commit: true, refused: true},
		{name: "they differ in case and the first rolls back", first: "Folded", second: "folded"},
	} {
		t.Run(at.name, func(t *testing.T) {
			ctx := t.Context()
			first, err := pool.Begin(ctx)
			require.NoError(t, err)
			defer func() { _ = first.Rollback(ctx) }()
			_, err = direct.New(first).EnsureTaskQueue(ctx, at.first)
			require.NoError(t, err)

			second, err := pool.Acquire(ctx)
			require.NoError(t, err)
			defer second.Release()
			for _, other := range []string{"warm", "warmer"} { // so that the session has the catalogue in its cache
				_, err = direct.New(second).EnsureTaskQueue(ctx, at.second+other)
				require.NoError(t, err)
			}
			answered := make(chan error, 1)
			go func() {
				_, err := direct.New(second).EnsureTaskQueue(ctx, at.second)
				answered <- err
			}()
			pgtest.WaitBlocked(t, pool, second.Conn().PgConn().PID())
			if at.commit {
				require.NoError(t, first.Commit(ctx))
			} else {
				require.NoError(t, first.Rollback(ctx))
			}
			if at.refused {
				require.ErrorIs(t, <-answered, executor.ErrConflict)
				return
			}
			require.NoError(t, <-answered)
			var queues int
			require.NoError(t, pool.QueryRow(ctx, "select count(*) from pgmq.meta as m where m.queue_name = $1", at.second).Scan(&queues))
			require.Equal(t, 1, queues)
			_, err = pool.Exec(ctx, "select pgmq.send($1, '1')", at.second)
			require.NoError(t, err, "the queue accepts a message")
		})
	}
}
