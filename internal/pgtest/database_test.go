package pgtest_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

func TestNew_IsMigrated(t *testing.T) {
	t.Parallel()
	require.True(t, hasSchema(t, pgtest.New(t), "tasker"))
}

func TestNewEmpty_HasNoMigrations(t *testing.T) {
	t.Parallel()
	require.False(t, hasSchema(t, pgtest.NewEmpty(t), "tasker"))
}

func TestNew_EachTestHasItsOwnDatabase(t *testing.T) {
	t.Parallel()
	require.NotEqual(t, pgtest.URL(pgtest.New(t)), pgtest.URL(pgtest.New(t)))
}

func TestNew_TakesOptions(t *testing.T) {
	t.Parallel()
	pool := pgtest.NewEmpty(t, pgtest.MaxConns(17))
	require.EqualValues(t, 17, pool.Config().MaxConns)
}

func TestNew_DropsTheDatabaseWhenTheTestEnds(t *testing.T) {
	t.Parallel()
	var url string
	t.Run("inner", func(t *testing.T) { url = pgtest.URL(pgtest.NewEmpty(t)) })
	require.NotEmpty(t, url)

	_, err := pgx.Connect(t.Context(), url)
	require.ErrorContains(t, err, "does not exist")
}

func TestURL_ConnectsToTheSameDatabase(t *testing.T) {
	t.Parallel()
	pool := pgtest.NewEmpty(t)
	conn, err := pgx.Connect(t.Context(), pgtest.URL(pool))
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(t.Context())) }()

	var mine, theirs string
	require.NoError(t, pool.QueryRow(t.Context(), `select current_database()`).Scan(&mine))
	require.NoError(t, conn.QueryRow(t.Context(), `select current_database()`).Scan(&theirs))
	require.Equal(t, mine, theirs)
}

func hasSchema(t *testing.T, pool *pgxpool.Pool, name string) (found bool) {
	t.Helper()
	err := pool.QueryRow(t.Context(), `select to_regnamespace($1) is not null`, name).Scan(&found)
	require.NoError(t, err)
	return found
}

func BenchmarkNew(b *testing.B) {
	pgtest.New(b) // starts the server and builds the template
	for b.Loop() {
		pgtest.New(b)
	}
}
