package cli

import (
	"encoding/json"
	"io/fs"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// migrationNames returns the migrations that are compiled in.
func migrationNames(t *testing.T) []string {
	t.Helper()
	names, err := fs.Glob(pgtasker.Migrations(), "*.sql")
	require.NoError(t, err)
	for i := range names {
		names[i] = strings.TrimSuffix(names[i], ".sql")
	}
	return names
}

func TestMigrate_UpAndDownAndStatus(t *testing.T) {
	t.Parallel()
	pool := pgtest.NewEmpty(t)
	names := migrationNames(t)
	newest := names[len(names)-1]

	r := tasker(t, pool, "migrate", "status", "--check")
	require.Equal(t, exitNo, r.code)
	require.Empty(t, r.err, "standard error is empty, because the table shows it")
	require.Equal(t, len(names), strings.Count(r.out, "○"))

	require.Equal(t, "applied "+strings.Join(names, "\napplied ")+"\n", must(t, pool, "migrate", "up"))
	require.Contains(t, must(t, pool, "migrate", "up"), "nothing to do: ")
	require.Contains(t, must(t, pool, "migrate", "up"), newest)
	out := must(t, pool, "migrate", "status", "--check")
	require.Equal(t, len(names), strings.Count(out, "●"))

	require.Equal(t, "taken back "+newest+"\n", must(t, pool, "migrate", "down", "--yes"))
	require.Equal(t, exitNo, tasker(t, pool, "migrate", "status", "--check").code)

	var changed []migration
	out = must(t, pool, "migrate", "down", "--yes", "--migrations", "1000", "--json")
	require.NoError(t, json.Unmarshal([]byte(out), &changed))
	require.Len(t, changed, len(names)-1)
	require.Equal(t, "nothing to do: no migration is applied\n", must(t, pool, "migrate", "down", "--yes"))
}

func TestMigrate_ADatabaseOfAnotherBuildIsNotCurrent(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	execute(t, pool, `update tasker.schema_builds as b
	                     set files = regexp_replace(b.files, 'functions/kernel/claim/claim_steps \w+', 'functions/kernel/claim/claim_steps 0123456789abcdef')`)
	r := tasker(t, pool, "migrate", "up")
	require.Equal(t, exitConflict, r.code)
	require.Contains(t, r.err, "the database was made by another build: 1 files of db/schema differ (functions/kernel/claim/claim_steps)")
	require.Contains(t, r.err, "make a new database")
	r = tasker(t, pool, "doctor")
	require.Equal(t, exitNo, r.code)
	require.Contains(t, r.out, "✗  build       the database was made by another build: 1 files of db/schema differ (functions/kernel/claim/claim_steps)\n")
}

func TestMigrateDown_AsksForTheDatabasesName(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	name := pool.Config().ConnConfig.Database

	r := taskerWith(t, pgtest.URL(pool), "no\n", "migrate", "down")
	require.Equal(t, exitFailed, r.code)
	require.Contains(t, r.err, "Type the database's name ("+name+") to go on: ")
	require.Contains(t, r.err, "tasker: nothing was done\n")
	require.Equal(t, exitDone, tasker(t, pool, "migrate", "status", "--check").code)

	r = taskerWith(t, pgtest.URL(pool), name+"\n", "migrate", "down")
	require.Equal(t, exitDone, r.code, r.err)
	require.Equal(t, exitNo, tasker(t, pool, "migrate", "status", "--check").code)
}

func TestMigrateDump_NeedsNoDatabase(t *testing.T) {
	t.Parallel()
	r := run(t.Context(), nil, "", "migrate", "dump")
	require.Equal(t, exitDone, r.code, r.err)
	for _, name := range migrationNames(t) {
		require.Contains(t, r.out, "-- "+name+".sql\nbegin;\n")
	}

	pool := pgtest.NewEmpty(t)
	conn, err := pool.Acquire(t.Context())
	require.NoError(t, err)
	defer conn.Release()
	_, err = conn.Conn().PgConn().Exec(t.Context(), r.out).ReadAll()
	require.NoError(t, err)
	require.Equal(t, exitDone, tasker(t, pool, "migrate", "status", "--check").code)
}

func TestMigrate_ReportsWhatTheDatabaseSays(t *testing.T) {
	t.Parallel()
	pool := pgtest.NewEmpty(t)
	execute(t, pool, "create schema tasker")
	r := tasker(t, pool, "migrate", "up")
	require.Equal(t, exitFailed, r.code)
	require.Equal(t, "tasker: apply "+migrationNames(t)[0]+": schema \"tasker\" already exists (42P06)\n", r.err)
}
