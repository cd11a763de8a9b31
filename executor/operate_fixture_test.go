package executor_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
)

// startWaiting creates diamonds that wait for an orchestrator.
func startWaiting(t *testing.T, pool *pgxpool.Pool, tasks int) {
	t.Helper()
	for range tasks {
		_, err := pool.Exec(t.Context(), "select tasker_test.make_task()")
		require.NoError(t, err)
	}
}

// makeTaskIn creates a diamond in a state.
func makeTaskIn(t *testing.T, pool *pgxpool.Pool, state string) {
	t.Helper()
	_, err := pool.Exec(t.Context(), "select tasker_test.make_task_in($1)", state)
	require.NoError(t, err)
}

// freeze stops the clock of the database for all sessions.
func freeze(t *testing.T, pool *pgxpool.Pool, at time.Time) error {
	t.Helper()
	_, err := pool.Exec(t.Context(), "select tasker_test.freeze($1)", at)
	return err
}

// pass advances the frozen clock.
func pass(t *testing.T, pool *pgxpool.Pool, d time.Duration) {
	t.Helper()
	_, err := pool.Exec(t.Context(), "select tasker_test.pass($1)", d)
	require.NoError(t, err)
}

// exec runs a statement and discards its rows.
func exec(t *testing.T, db executor.DBTX, sql string, args ...any) {
	t.Helper()
	_, err := db.Exec(t.Context(), sql, args...)
	require.NoError(t, err, sql)
}
