package pgdatabase

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
)

func TestTemplate_IsBuiltOnceForAllProcesses(t *testing.T) {
	t.Parallel()
	var builds atomic.Int32
	schema := newSchema(t)
	migrate := schema.Migrate
	schema.Migrate = func(ctx context.Context, pool *pgxpool.Pool) error {
		builds.Add(1)
		return migrate(ctx, pool)
	}

	const processes = 4
	failures := make(chan error, processes)
	for range processes {
		databases := open(t, schema)
		go func() {
			name, err := databases.CreateMigrated(t.Context())
			failures <- errors.Join(err, databases.Drop(t.Context(), name))
		}()
	}
	for range processes {
		require.NoError(t, <-failures)
	}
	require.EqualValues(t, 1, builds.Load())
}

func TestTemplate_IsNeverHalfBuilt(t *testing.T) {
	t.Parallel()
	schema := newSchema(t)
	databases := open(t, schema)
	hash, err := schema.hash()
	require.NoError(t, err)
	require.NoError(t, databases.createNamed(t.Context(), "pgtest_building_"+hash, "template0"))

	name := createMigrated(t, databases)

	require.Equal(t, 1, count(t, connect(t, databases, name),
		`select count(*) from pg_class where relname = $1`, t.Name()))
}

func TestTemplate_AFailedBuildLeavesNothing(t *testing.T) {
	t.Parallel()
	schema := newSchema(t)
	broken := errors.New("broken migration")
	schema.Migrate = func(context.Context, *pgxpool.Pool) error { return broken }
	hash, err := schema.hash()
	require.NoError(t, err)
	databases := open(t, schema)

	_, err = databases.CreateMigrated(t.Context())
	require.ErrorIs(t, err, broken)
	require.Zero(t, databaseCount(t, databases, "%"+hash))
}

func TestTemplate_RefusesConnections(t *testing.T) {
	t.Parallel()
	databases := open(t, newSchema(t))
	template, err := databases.ensureTemplate(t.Context())
	require.NoError(t, err)

	_, err = pgx.Connect(t.Context(), databases.URL(template))
	require.ErrorContains(t, err, "not currently accepting connections")
}

func TestFixtures_AreLoadedInTheOrderOfTheirNames(t *testing.T) {
	t.Parallel()
	schema := newSchema(t)
	schema.Fixtures = fstest.MapFS{
		"20_filled.sql":  file(`insert into ordered values ('é'); insert into ordered values ('b');`),
		"10_created.sql": file(`create table ordered (name text);`),
		"readme.md":      file(`not SQL`),
	}
	databases := open(t, schema)

	name := createMigrated(t, databases)
	require.Equal(t, 2, count(t, connect(t, databases, name), `select count(*) from ordered`))
}

func TestFixtures_AFailureNamesFileAndLine(t *testing.T) {
	t.Parallel()
	schema := newSchema(t)
	schema.Fixtures = fstest.MapFS{"broken.sql": file("select 'é';\n\nselect 1 from missing;\n")}
	databases := open(t, schema)

	_, err := databases.CreateMigrated(t.Context())
	require.ErrorContains(t, err, `fixture broken.sql:3: ERROR: relation "missing" does not exist`)
}

func TestHash_ChangesWithNamesContentsAndFixtures(t *testing.T) {
	t.Parallel()
	schemas := []Schema{
		{Migrations: fstest.MapFS{"a.sql": file("1")}, Fixtures: fstest.MapFS{}},
		{Migrations: fstest.MapFS{"a.sql": file("2")}, Fixtures: fstest.MapFS{}},
		{Migrations: fstest.MapFS{"b.sql": file("1")}, Fixtures: fstest.MapFS{}},
		{Migrations: fstest.MapFS{"a.sql": file(""), "b.sql": file("1")}, Fixtures: fstest.MapFS{}},
		{Migrations: fstest.MapFS{"a.sql": file("1")}, Fixtures: fstest.MapFS{"b.sql": file("")}},
		{Migrations: fstest.MapFS{}, Fixtures: fstest.MapFS{"a.sql": file("1")}},
	}
	seen := map[string]int{}
	for i, schema := range schemas {
		hash, err := schema.hash()
		require.NoError(t, err)
		require.NotContains(t, seen, hash, "schemas %d and %d", seen[hash], i)
		seen[hash] = i

		again, err := schema.hash()
		require.NoError(t, err)
		require.Equal(t, hash, again)
	}
}

func databaseCount(t *testing.T, databases *Databases, pattern string) int {
	t.Helper()
	var n int
	err := databases.admin.QueryRow(t.Context(),
		`select count(*) from pg_database where datname like $1`, pattern).Scan(&n)
	require.NoError(t, err)
	return n
}
