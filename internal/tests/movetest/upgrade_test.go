package movetest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/pgtest/pgserver"
)

// Logical replication moves a system to a newer server with a stop of seconds. EnvNewer names the programs of a newer
// PostgreSQL. Without it the other server is of the same version, which tests everything except the change of version.
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
	require.Len(t, scripts, 5)

	stop := s.begin(pool)
	shell(t, scripts[3], variables...)
	stop()
	before := s.recorded(pool)
	shell(t, scripts[4], variables...)
	moved := at(t, newer, "shop")
	same(t, pool, moved)
	s.end(moved, before)
}

// A newer server takes over the files of a system at work, some steps of which had been claimed. EnvUpgrade names its
// programs. Without it the newer server is of the same version.
const envUpgrade = "PGTASKER_TEST_UPGRADE_PGBIN"

func TestPgUpgrade_ContinuesOnANewerServer(t *testing.T) {
	t.Parallel()
	bin := os.Getenv(envUpgrade)
	pool, server, database := private(t)
	if bin == "" {
		bin = server.Bin
	}
	if _, err := os.Stat(filepath.Join(bin, "pg_upgrade")); err != nil {
		t.Skipf("there is no pg_upgrade in %s: make test-upgrade OLD=… NEW=…", bin)
	}
	// pg_upgrade connects to every database, but the template of the test's database refuses connections.
	var template string
	require.NoError(t, pool.QueryRow(t.Context(), "select d.datname from pg_database as d where not d.datallowconn and d.datname <> 'template0'").Scan(&template))
	_, err := pool.Exec(t.Context(), "drop database "+pgx.Identifier{template}.Sanitize())
	require.NoError(t, err)
	s := newSystem(t, pool)
	s.begin(pool)()
	before := s.recorded(pool)
	events := map[uuid.UUID]bool{}
	readSome(t, pool, events, 20)
	pool.Close()

	scripts := documented(t)
	newer, err := server.Upgrade(t.Context(), bin, scripts[1])
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, newer.Stop()) })
	shell(t, scripts[2], "NEW_BIN="+bin, "NEW_SERVER="+newer.URL)
	upgraded := at(t, newer, database)
	var version string
	require.NoError(t, upgraded.QueryRow(t.Context(), "show server_version").Scan(&version))
	t.Logf("PostgreSQL %s, %d of %d steps had their results", version, len(before), 5*tasksAtWork)
	s.end(upgraded, before)

	// The subscription continues where it was: each row of the logs was read on one server or the other.
	for readSome(t, upgraded, events, 1000) > 0 {
	}
	rows, err := upgraded.Query(t.Context(), `
		select task_transition_uuid from tasker.task_transitions
		union all
		select workflow_step_transition_uuid from tasker.workflow_step_transitions where sort_key > 0`)
	require.NoError(t, err)
	all, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	require.NoError(t, err)
	for _, id := range all {
		require.True(t, events[id], "event %s was not read", id)
	}
	require.Len(t, events, len(all))
}

// readSome reads events of the subscription and acknowledges them. It fails the test if an event was read before.
func readSome(t *testing.T, pool *pgxpool.Pool, events map[uuid.UUID]bool, most int32) int {
	t.Helper()
	e, reader := executor.New(pool), uuid.New()
	got, err := e.ReadEvents(t.Context(), sqlfn.ReadEventsParams{Subscription: "audit", ReaderUUID: reader, Limit: most, LeaseSeconds: 30})
	require.NoError(t, err)
	for _, event := range got {
		require.False(t, events[event.EventUUID], "event %s was delivered twice", event.EventUUID)
		events[event.EventUUID] = true
	}
	if len(got) > 0 {
		_, err = e.AcknowledgeEvents(t.Context(), sqlfn.AcknowledgeEventsParams{
			Subscription: "audit", ReaderUUID: reader, Place: got[len(got)-1].Place, Events: int32(len(got)),
		})
		require.NoError(t, err)
	}
	_, err = e.LeaveSubscription(t.Context(), "audit", reader)
	require.NoError(t, err)
	return len(got)
}

// same asserts that every table that survives a crash has the same rows in two databases.
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
