package movetest

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest/pgserver"
)

// A dump is taken while workers run. It does not contain their work after its beginning.
func TestDump_ContinuesOnAnotherServer(t *testing.T) {
	t.Parallel()
	pool, server, database := private(t)
	s := newSystem(t, pool)
	stop := s.begin(pool)
	before := s.recorded(pool)

	other, err := pgserver.StartCrashSafeWith(t.Context(), os.Getenv(envNewer))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, other.Stop()) })
	shell(t, documented(t)[0],
		path(server), "OLD="+addressOf(t, server, database), "OLD_SERVER="+server.URL,
		"NEW="+addressOf(t, other, "shop"), "NEW_SERVER="+other.URL)
	stop()
	s.end(at(t, other, "shop"), before)
}

// A server is restored to a point in the middle of its work. Results that were recorded before that point are kept.
func TestBaseBackup_ContinuesFromAPointInTime(t *testing.T) {
	t.Parallel()
	pool, server, database := private(t)
	s := newSystem(t, pool)
	backup, err := server.BackUp(t.Context())
	require.NoError(t, err)
	stop := s.begin(pool)
	before := s.recorded(pool)
	_, err = pool.Exec(t.Context(), "select pg_create_restore_point('before the mistake')")
	require.NoError(t, err)
	for _, task := range s.tasks { // the mistake, one task at a time, since one transaction for all could deadlock with the worker
		_, err = pool.Exec(t.Context(), "select tasker.cancel_task($1)", task)
		require.NoError(t, err)
	}
	_, err = pool.Exec(t.Context(), "select pg_switch_wal()")
	require.NoError(t, err)
	stop()

	restored, err := backup.Restore(t.Context(), "before the mistake")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, restored.Stop()) })
	copied := at(t, restored, database)
	for recovering := true; recovering; {
		require.NoError(t, copied.QueryRow(t.Context(), "select pg_is_in_recovery()").Scan(&recovering))
	}
	s.end(copied, before)
}
