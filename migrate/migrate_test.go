package migrate_test

import (
	"context"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"testing"
	"testing/fstest"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/db"
	"github.com/pgtasker/pgtasker/internal/catalog"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/migrate"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

func TestUp_AppliesAllMigrationsAndThenNone(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	pool := pgtest.NewEmpty(t)
	require.NoError(t, migrate.Up(ctx, pool))
	requireAllApplied(t, pool)
	before := snapshot(t, pool)
	require.NotEmpty(t, before)

	require.NoError(t, migrate.Up(ctx, pool))
	require.Empty(t, catalog.Diff(before, snapshot(t, pool)))
}

func TestDown_LeavesNothingAndUpWorksAgain(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	pool := pgtest.NewEmpty(t)
	require.NoError(t, migrate.Up(ctx, pool))
	before := snapshot(t, pool)

	require.NoError(t, migrate.Down(ctx, pool, math.MaxInt))
	require.Empty(t, snapshot(t, pool).String())
	require.NoError(t, migrate.Down(ctx, pool, 1), "nothing is left to roll back")

	require.NoError(t, migrate.Up(ctx, pool))
	require.Empty(t, catalog.Diff(before, snapshot(t, pool)))
}

func TestDown_RollsBackTheNewestOnly(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	pool := pgtest.NewEmpty(t)
	files := small("a", "b", "c")
	require.NoError(t, migrate.UpFrom(ctx, pool, files))
	require.NoError(t, migrate.DownFrom(ctx, pool, files, 2))
	requireTables(t, pool, "a")

	got, err := migrate.StatusFrom(ctx, pool, files)
	require.NoError(t, err)
	require.Equal(t, []migrate.Migration{
		{Version: "20260101000001", Name: "a", Applied: true},
		{Version: "20260101000002", Name: "b"},
		{Version: "20260101000003", Name: "c"},
	}, got)
	require.ErrorContains(t, migrate.DownFrom(ctx, pool, files, 0), "the minimum is one")
}

func TestStatus_ChangesNothingAndCountsWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	pool := pgtest.NewEmpty(t)
	got, err := migrate.Status(ctx, pool)
	require.NoError(t, err)
	names, err := fs.Glob(db.Migrations(), "*.sql")
	require.NoError(t, err)
	require.Len(t, got, len(names))
	for i, m := range got {
		require.Equal(t, names[i], m.String()+".sql")
		require.False(t, m.Applied)
	}
	requireTables(t, pool)

	require.NoError(t, migrate.UpFrom(ctx, pool, small("a", "b")))
	got, err = migrate.StatusFrom(ctx, pool, small("a"))
	require.NoError(t, err)
	require.Equal(t, []migrate.Migration{
		{Version: "20260101000001", Name: "a", Applied: true},
		{Version: "20260101000002", Applied: true},
	}, got)
	require.Equal(t, "20260101000002", got[1].String())
}

func TestUp_EightAtATimeAllSucceed(t *testing.T) {
	t.Parallel()
	pool := pgtest.NewEmpty(t)
	failures := make(chan error, 8)
	for range 8 {
		go func() { failures <- migrate.Up(t.Context(), pool) }()
	}
	for range 8 {
		require.NoError(t, <-failures)
	}
	requireAllApplied(t, pool)
}

func TestUp_NeedsNoMoreThanOneConnectionOfThePool(t *testing.T) {
	t.Parallel()
	pool := pgtest.NewEmpty(t, pgtest.MaxConns(1))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	require.NoError(t, migrate.Up(ctx, pool))
	requireAllApplied(t, pool)
	require.NoError(t, migrate.Down(ctx, pool, 1))
	require.NoError(t, migrate.Up(ctx, pool))
	requireAllApplied(t, pool)
}

func TestUp_NamesTheMigrationThatFailsAndKeepsThoseBeforeIt(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	pool := pgtest.NewEmpty(t)
	files := small("a", "b")
	files["20260101000003_broken.sql"] = &fstest.MapFile{Data: []byte(`-- migrate:up
create table public.c ();
do $$ begin raise exception using errcode = 'TK409', message = 'no', detail = 'the detail', hint = 'the hint'; end $$;

-- migrate:down
`)}
	err := migrate.UpFrom(ctx, pool, files)
	require.ErrorContains(t, err, "migrate: apply 20260101000003_broken: ERROR: no")
	var failure *pgconn.PgError
	require.ErrorAs(t, err, &failure)
	require.Equal(t, []string{"TK409", "the detail", "the hint"}, []string{failure.Code, failure.Detail, failure.Hint})
	requireTables(t, pool, "a", "b")
	requireVersions(t, pool, "20260101000001", "20260101000002")

	err = migrate.DownFrom(ctx, pool, fstest.MapFS{
		"20260101000002_b.sql": {Data: []byte("-- migrate:up\n-- migrate:down\ndrop table public.absent;\n")},
	}, 1)
	require.ErrorContains(t, err, `migrate: roll back 20260101000002_b: ERROR: table "absent" does not exist`)
	requireVersions(t, pool, "20260101000001", "20260101000002")
}

func TestUp_ACommitThatFailsNamesItsMigration(t *testing.T) {
	t.Parallel()
	pool := pgtest.NewEmpty(t)
	err := migrate.UpFrom(t.Context(), pool, fstest.MapFS{"20260101000001_late.sql": {Data: []byte(`-- migrate:up
create table public.a (id int primary key);
create table public.b (id int references public.a (id) deferrable initially deferred);
insert into public.b values (1);

-- migrate:down
`)}})
	require.ErrorContains(t, err, "migrate: apply 20260101000001_late: ERROR: insert or update on table")
	requireTables(t, pool)
}

func TestUp_RefusesToGoBehindANewerMigration(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	pool := pgtest.NewEmpty(t)
	newer := small("a", "b", "c")
	delete(newer, "20260101000002_b.sql")
	require.NoError(t, migrate.UpFrom(ctx, pool, newer))

	err := migrate.UpFrom(ctx, pool, small("a", "b", "c"))
	require.ErrorIs(t, err, migrate.ErrOutOfOrder)
	require.ErrorContains(t, err, "20260101000002_b: out of order: 20260101000003 is applied already")
	require.NoError(t, migrate.UpFrom(ctx, pool, small("a")), "an older program finds nothing to do")

	err = migrate.DownFrom(ctx, pool, small("a"), 1)
	require.ErrorIs(t, err, migrate.ErrOutOfOrder)
	requireTables(t, pool, "a", "c")
}

func TestUp_WithoutRightsSaysSoAndChangesNothing(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	pool := pgtest.NewEmpty(t)
	for name, grant := range map[string]string{
		"none at all":       "",
		"to create schemas": "grant create on database %s to %s",
	} {
		t.Run(name, func(t *testing.T) {
			err := migrate.Up(ctx, poolOf(t, pool, newRole(t, pool, grant)))
			var failure *pgconn.PgError
			require.ErrorAs(t, err, &failure)
			require.Equal(t, "42501", failure.Code, "insufficient privilege: %v", err)
			require.ErrorContains(t, err, "migrate: apply ")

			require.Empty(t, snapshot(t, pool))
			var left int
			require.NoError(t, pool.QueryRow(ctx,
				"select count(*) from pg_namespace as n where n.nspname = 'tasker_meta'").Scan(&left))
			require.Zero(t, left)
		})
	}
}

func TestUp_NeedsNoSuperuser(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	pgtest.New(t) // makes the roles, if no other test has
	pool := pgtest.NewEmpty(t)
	own := poolOf(t, pool, newRole(t, pool, "grant create on database %[1]s to %[2]s; grant tasker_owner to %[2]s"))
	require.NoError(t, migrate.Up(ctx, own))
	requireAllApplied(t, own)
	require.NoError(t, migrate.Down(ctx, own, math.MaxInt))
	require.Empty(t, snapshot(t, pool).String())
	require.NoError(t, migrate.Up(ctx, own))
}

// newRole returns a new login role. What is granted names the database and the role.
func newRole(t *testing.T, pool *pgxpool.Pool, grant string) string {
	t.Helper()
	role := fmt.Sprintf("migrate_%x", rand.Uint64())
	exec(t, pool, "create role "+role+" login")
	t.Cleanup(func() {
		_, err := pool.Exec(context.Background(), "drop owned by "+role+" cascade; drop role "+role)
		require.NoError(t, err)
	})
	if grant != "" {
		exec(t, pool, fmt.Sprintf(grant, pgx.Identifier{database(pool)}.Sanitize(), role))
	}
	return role
}

// poolOf returns a pool on the same database whose connections are the role's.
func poolOf(t *testing.T, pool *pgxpool.Pool, role string) *pgxpool.Pool {
	t.Helper()
	return poolWith(t, pool, func(config *pgxpool.Config) {
		config.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
			_, err := conn.Exec(ctx, "set session authorization "+role)
			return err
		}
	})
}

// small returns migrations that create a table each.
func small(names ...string) fstest.MapFS {
	files := fstest.MapFS{}
	for i, name := range names {
		files[fmt.Sprintf("2026010100000%d_%s.sql", i+1, name)] = &fstest.MapFile{Data: fmt.Appendf(nil,
			"-- migrate:up\ncreate table public.%s ();\n\n-- migrate:down\ndrop table public.%s;\n", name, name)}
	}
	return files
}

func snapshot(t *testing.T, pool *pgxpool.Pool) catalog.Objects {
	t.Helper()
	objects, err := catalog.Snapshot(t.Context(), pool)
	require.NoError(t, err)
	return objects
}

func exec(t *testing.T, pool *pgxpool.Pool, statement string) {
	t.Helper()
	_, err := pool.Exec(t.Context(), statement)
	require.NoError(t, err)
}

func database(pool *pgxpool.Pool) string { return pool.Config().ConnConfig.Database }

// poolWith returns another pool on the same database.
func poolWith(t *testing.T, pool *pgxpool.Pool, change func(*pgxpool.Config)) *pgxpool.Pool {
	t.Helper()
	config := pool.Config()
	change(config)
	other, err := pgxpool.NewWithConfig(context.Background(), config)
	require.NoError(t, err)
	t.Cleanup(other.Close)
	return other
}

func requireAllApplied(t *testing.T, pool *pgxpool.Pool) {
	t.Helper()
	got, err := migrate.Status(t.Context(), pool)
	require.NoError(t, err)
	require.NotEmpty(t, got)
	for _, m := range got {
		require.True(t, m.Applied, m)
		require.NotEmpty(t, m.Name)
	}
}

// requireTables compares the tables of schema public.
func requireTables(t *testing.T, pool *pgxpool.Pool, want ...string) {
	t.Helper()
	rows, err := pool.Query(t.Context(), "select t.tablename::text from pg_tables as t where t.schemaname = 'public' order by 1")
	require.NoError(t, err)
	got, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.ElementsMatch(t, want, got)
}

func requireVersions(t *testing.T, pool *pgxpool.Pool, want ...string) {
	t.Helper()
	rows, err := pool.Query(t.Context(), "select m.version from tasker_meta.schema_migrations as m order by 1")
	require.NoError(t, err)
	got, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Equal(t, want, got)
}
