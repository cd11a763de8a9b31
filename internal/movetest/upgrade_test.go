package movetest

import (
	"os"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest/pgserver"
)

// Logical replication brings a system to a newer server with a stop of seconds. EnvNewer names the programs of a newer
// PostgreSQL; without it the newer server is of the same version, which shows all of it but the difference of versions.
const envNewer = "PGTASKER_TEST_NEWER_PGBIN"

func TestLogicalReplication_MovesToANewerServer(t *testing.T) {
	t.Parallel()
	pool, server, database := private(t)
	for _, sql := range []string{"alter system set wal_level = logical"} {
		_, err := pool.Exec(t.Context(), sql)
		require.NoError(t, err)
	}
	require.NoError(t, server.Restart(t.Context()))
	pool.Reset()
	s := newSystem(t, pool)

	newer, err := pgserver.StartCrashSafeWith(t.Context(), os.Getenv(envNewer))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, newer.Stop()) })
	variables := []string{
		path(server), "OLD=" + addressOf(t, server, database), "OLD_SERVER=" + server.URL,
		"NEW=" + addressOf(t, newer, "shop"), "NEW_SERVER=" + newer.URL,
	}
	scripts := documented(t)
	require.Len(t, scripts, 3)

	stop := s.begin(pool)
	shell(t, scripts[1], variables...)
	stop()
	before := s.recorded(pool)
	shell(t, scripts[2], variables...)
	moved := at(t, newer, "shop")
	same(t, pool, moved)
	s.end(moved, before)
}

// same holds every table of two databases equal that is kept over a crash.
func same(t *testing.T, one, other *pgxpool.Pool) {
	t.Helper()
	const digests = `
		select string_agg(c.oid::regclass::text || ' ' || (xpath('/row/d/text()', query_to_xml(
		         format('select count(*) || md5(coalesce(string_agg(md5(r::text), %L order by md5(r::text)), %L)) as d from %s as r', '', '', c.oid::regclass),
		         false, true, '')))[1]::text, e'\n' order by c.oid::regclass::text)
		  from pg_class as c
		 where c.relnamespace::regnamespace::text in ('tasker', 'tasklib')
		   and c.relkind in ('r', 'p')
		   and c.relpersistence = 'p'
		   and not c.relispartition`
	var have, want string
	require.NoError(t, one.QueryRow(t.Context(), digests).Scan(&want))
	require.NoError(t, other.QueryRow(t.Context(), digests).Scan(&have))
	require.Equal(t, want, have)
}
