package pgmqtest

import (
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgmqown"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// Kind returns the kind of pgmq in a database: own, extension, foreign or none.
func Kind(t testing.TB, pool *pgxpool.Pool) (kind string) {
	t.Helper()
	require.NoError(t, pool.QueryRow(t.Context(), `select tasker.pgmq_kind()`).Scan(&kind))
	return kind
}

// NewReal returns a database with the extension. It skips the test if the server has none.
func NewReal(t testing.TB, options ...pgtest.Option) *pgxpool.Pool {
	t.Helper()
	pool := pgtest.New(t, options...)
	if Kind(t, pool) != "extension" {
		t.Skip("this server has no extension pgmq: PGTASKER_TEST_PGBIN=$(tools/pgmq.sh)")
	}
	return pool
}

// NewOwn returns a database with pgtasker's own pgmq, even if the server has the extension.
func NewOwn(t testing.TB, options ...pgtest.Option) *pgxpool.Pool {
	t.Helper()
	pool := pgtest.New(t, options...)
	if Kind(t, pool) != "own" {
		require.NoError(t, pgmqown.Install(t.Context(), pool))
	}
	require.Equal(t, "own", Kind(t, pool))
	return pool
}
