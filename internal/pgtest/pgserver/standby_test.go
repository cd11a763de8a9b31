package pgserver

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

func TestStandby_FollowsAndIsPromoted(t *testing.T) {
	t.Parallel()
	binaries(t)
	primary, err := StartCrashSafeWith(t.Context(), binaries(t))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, primary.Stop()) })
	standby, err := primary.StartStandby(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, standby.Stop()) })
	require.True(t, inRecovery(t, standby.URL))

	require.NoError(t, primary.Restart(t.Context()))
	require.False(t, inRecovery(t, primary.URL))
	require.NoError(t, primary.RestartImmediately(t.Context()))
	require.False(t, inRecovery(t, primary.URL))

	conn, err := pgx.Connect(t.Context(), standby.URL)
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(t.Context())) }()
	var promoted bool
	require.NoError(t, conn.QueryRow(t.Context(), `select pg_promote()`).Scan(&promoted))
	require.True(t, promoted)
	require.False(t, inRecovery(t, standby.URL))
}

func inRecovery(t *testing.T, url string) (yes bool) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(t.Context())) }()
	require.NoError(t, conn.QueryRow(t.Context(), `select pg_is_in_recovery()`).Scan(&yes))
	return yes
}
