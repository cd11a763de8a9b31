package pgdatabase

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/pgtasker/pgtasker/internal/pgtest/pgserver"
)

// server is started by the first test that needs it, not before the tests, because go test's cache knows only the
// environment variables that tests read.
var server lazyServer

type lazyServer struct {
	mu sync.Mutex
	*pgserver.Server
}

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(suite{m})
}

type suite struct{ tests *testing.M }

func (s suite) Run() int {
	code := s.tests.Run()
	if server.Server == nil {
		return code
	}
	if err := server.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

func (s *lazyServer) url(t *testing.T) string {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Server == nil {
		var err error
		s.Server, err = pgserver.Start(t.Context())
		require.NoError(t, err)
	}
	return s.URL
}

// newSchema returns a schema of its own for a test, so that tests do not share templates. The schema has one table,
// named for the test.
func newSchema(t *testing.T) Schema {
	t.Helper()
	table := pgx.Identifier{t.Name()}.Sanitize()
	return Schema{
		Migrate: func(ctx context.Context, pool *pgxpool.Pool) error {
			_, err := pool.Exec(ctx, "create table "+table+" (id integer)")
			return err
		},
		Migrations: fstest.MapFS{"0001_first.sql": file("create table " + table)},
		Fixtures:   fstest.MapFS{},
	}
}

func file(text string) *fstest.MapFile {
	return &fstest.MapFile{Data: []byte(text)}
}

// open also drops the schema's template when the test ends, since the server may go on running.
func open(t *testing.T, schema Schema) *Databases {
	t.Helper()
	databases, err := Open(t.Context(), server.url(t), schema)
	require.NoError(t, err)
	t.Cleanup(databases.Close)
	hash, err := schema.hash()
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, databases.Drop(context.Background(), "pgtest_template_"+hash)) })
	return databases
}

func createMigrated(t *testing.T, databases *Databases) string {
	t.Helper()
	name, err := databases.CreateMigrated(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, databases.Drop(context.Background(), name)) })
	return name
}

func createEmpty(t *testing.T, databases *Databases) string {
	t.Helper()
	name, err := databases.CreateEmpty(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, databases.Drop(context.Background(), name)) })
	return name
}

// connect ends the connection before the database is dropped.
func connect(t *testing.T, databases *Databases, name string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), databases.URL(name))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, conn.Close(context.Background())) })
	return conn
}

func count(t *testing.T, conn *pgx.Conn, query string, args ...any) int {
	t.Helper()
	var n int
	require.NoError(t, conn.QueryRow(t.Context(), query, args...).Scan(&n))
	return n
}
