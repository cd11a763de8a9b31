package pgtest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

func TestWaitBlocked_ReturnsWhenTheSessionWaitsForALock(t *testing.T) {
	t.Parallel()
	pool := pgtest.NewEmpty(t, pgtest.MaxConns(3))
	holder, err := pool.Acquire(t.Context())
	require.NoError(t, err)
	defer holder.Release()
	waiter, err := pool.Acquire(t.Context())
	require.NoError(t, err)
	defer waiter.Release()
	_, err = holder.Exec(t.Context(), `select pg_advisory_lock(1)`)
	require.NoError(t, err)

	acquired := make(chan error, 1)
	pid := waiter.Conn().PgConn().PID()
	go func() {
		_, err := waiter.Exec(t.Context(), `select pg_advisory_lock(1)`)
		acquired <- err
	}()
	pgtest.WaitBlocked(t, pool, pid)

	require.Empty(t, acquired)
	_, err = holder.Exec(t.Context(), `select pg_advisory_unlock(1)`)
	require.NoError(t, err)
	require.NoError(t, <-acquired)
}
