package pgtest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

func TestNewPrivate_KeepsWhatWasCommittedWhenItsServerCrashes(t *testing.T) {
	t.Parallel()
	pool, server := pgtest.NewPrivate(t)
	_, err := pool.Exec(t.Context(), `create table kept (id integer)`)
	require.NoError(t, err)

	require.NoError(t, server.Crash(t.Context()))
	pool.Reset()

	var found bool
	require.NoError(t, pool.QueryRow(t.Context(), `select to_regclass('kept') is not null`).Scan(&found))
	require.True(t, found)
}
