package pgserver

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

func TestCrash_KeepsWhatWasCommitted(t *testing.T) {
	t.Parallel()
	binaries(t)
	server, err := StartCrashSafeWith(t.Context(), binaries(t))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Stop()) })
	require.Equal(t, "on", setting(t, server.URL, "synchronous_commit"))

	conn, err := pgx.Connect(t.Context(), server.URL)
	require.NoError(t, err)
	_, err = conn.Exec(t.Context(), `create table t as select 1 as committed`)
	require.NoError(t, err)
	_, err = conn.Exec(t.Context(), `begin; insert into t values (2)`)
	require.NoError(t, err)

	require.NoError(t, server.Crash(t.Context()))
	require.Error(t, conn.Ping(t.Context()), "its connections are gone")
	conn, err = pgx.Connect(t.Context(), server.URL)
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(t.Context())) }()
	var rows int
	require.NoError(t, conn.QueryRow(t.Context(), `select count(*) from t`).Scan(&rows))
	require.Equal(t, 1, rows)
}
