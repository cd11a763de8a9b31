package pgserver

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// Copies are servers of their own: a copy has the databases of the original, and a crash of the copy does not affect the
// original.
func TestCopy_HasTheDatabasesOfTheOriginal(t *testing.T) {
	binaries(t)
	original, err := StartOriginal(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, original.Stop()) })
	conn, err := pgx.Connect(t.Context(), original.URL)
	require.NoError(t, err)
	_, err = conn.Exec(t.Context(), `create database lent`)
	require.NoError(t, err)
	require.NoError(t, conn.Close(t.Context()))

	t.Setenv(EnvOriginal, original.Original())
	type copied struct {
		server *Server
		err    error
	}
	done := make(chan copied, 8)
	for range cap(done) { // each copy takes two WAL senders, and a server has ten by default
		go func() {
			server, err := StartCopy(t.Context())
			done <- copied{server, err}
		}()
	}
	for range cap(done) {
		got := <-done
		require.NoError(t, got.err)
		server := got.server
		t.Cleanup(func() { require.NoError(t, server.Stop()) })
		require.False(t, inRecovery(t, server.URL))
		require.Equal(t, "on", setting(t, server.URL, "synchronous_commit"))
		require.NoError(t, server.Crash(t.Context()))
		conn, err := pgx.Connect(t.Context(), server.URL)
		require.NoError(t, err)
		var found bool
		require.NoError(t, conn.QueryRow(t.Context(), `select exists (select from pg_database where datname = 'lent')`).Scan(&found))
		require.NoError(t, conn.Close(t.Context()))
		require.True(t, found)
	}
	require.Equal(t, "100", setting(t, original.URL, "max_wal_senders"))
}
