package pgtest

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/internal/pgtest/pgdatabase"
)

const (
	// createWithin includes waiting for another process to build the template.
	createWithin = 2 * time.Minute
	closeWithin  = 10 * time.Second
	dropWithin   = time.Minute
)

// Option changes the configuration of a test's pool.
type Option func(*pgxpool.Config)

// MaxConns sets the largest number of connections of the pool. The default of pgxpool is four, or one per CPU if there are
// more.
func MaxConns(n int32) Option {
	return func(config *pgxpool.Config) { config.MaxConns = n }
}

// New returns a pool on a new database with the newest migrations and the fixtures of pgtap/fixtures. When the test
// ends, the pool is closed and the database dropped. A connection that the test has not released by then is an error.
func New(t testing.TB, options ...Option) *pgxpool.Pool {
	t.Helper()
	return newPool(t, (*pgdatabase.Databases).CreateMigrated, options)
}

// NewEmpty is like [New], but the database is empty.
func NewEmpty(t testing.TB, options ...Option) *pgxpool.Pool {
	t.Helper()
	return newPool(t, (*pgdatabase.Databases).CreateEmpty, options)
}

// URL returns the address of a pool's database, for psql, dbmate or a pool of
// another kind.
func URL(pool *pgxpool.Pool) string {
	return pool.Config().ConnString()
}

// ServerURL returns the address from which databases may be created on the
// tests' server, for programs that make their own.
func ServerURL(t testing.TB) string {
	t.Helper()
	session, err := process.open()
	if err != nil {
		t.Fatal("pgtest:", err)
	}
	return session.Server.URL
}

type create func(*pgdatabase.Databases, context.Context) (string, error)

func newPool(t testing.TB, create create, options []Option) *pgxpool.Pool {
	t.Helper()
	session, err := process.open()
	if err != nil {
		t.Fatal("pgtest:", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), createWithin)
	defer cancel()
	name, err := create(session.Databases, ctx)
	if err != nil {
		t.Fatal("pgtest: create a database:", err)
	}
	t.Cleanup(func() { drop(t, session.Databases, name) })

	return openPool(t, session.URL(name), options)
}

// openPool returns a pool that is closed when the test ends.
func openPool(t testing.TB, url string, options []Option) *pgxpool.Pool {
	t.Helper()
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		t.Fatal("pgtest:", err)
	}
	for _, option := range options {
		option(config)
	}
	// Do not use the test's context, since the cleanup after the end of the test still uses connections.
	pool, err := pgxpool.NewWithConfig(context.WithoutCancel(t.Context()), config)
	if err != nil {
		t.Fatal("pgtest:", err)
	}
	t.Cleanup(func() { closePool(t, pool) })
	return pool
}

// closePool closes the pool. It fails the test if a connection is not released, instead of waiting for it forever.
func closePool(t testing.TB, pool *pgxpool.Pool) {
	t.Helper()
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		pool.Close()
	}()
	overdue := time.NewTimer(closeWithin)
	defer overdue.Stop()
	select {
	case <-closed:
	case <-overdue.C:
		t.Errorf("pgtest: the test has ended, but %d of its connections are still in use", pool.Stat().AcquiredConns())
	}
}

func drop(t testing.TB, databases *pgdatabase.Databases, name string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), dropWithin)
	defer cancel()
	if err := databases.Drop(ctx, name); err != nil {
		t.Error("pgtest: drop the test's database:", err)
	}
}
