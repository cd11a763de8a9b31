package pgtest

import (
	"context"
	"errors"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/internal/pgtest/pgdatabase"
	"github.com/pgtasker/pgtasker/internal/pgtest/pgserver"
)

// StartPrivate starts a server of the test's own, which the test may crash. Unlike the shared server, it keeps committed data
// in a crash. The test is skipped if this machine has no server programs.
func StartPrivate(t testing.TB) *pgserver.Server {
	t.Helper()
	return startPrivate(t, pgserver.StartCrashSafe)
}

func startPrivate(t testing.TB, start func(context.Context) (*pgserver.Server, error)) *pgserver.Server {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), startWithin)
	defer cancel()
	server, err := start(ctx)
	if errors.Is(err, pgserver.ErrNoPrograms) {
		t.Skip(pgserver.ErrNoPrograms)
	}
	if err != nil {
		t.Fatal("pgtest:", err)
	}
	t.Cleanup(func() {
		if err := server.Stop(); err != nil {
			t.Error("pgtest: stop the test's own server:", err)
		}
	})
	return server
}

// NewPrivate is like [New], on a server like that of [StartPrivate], which may have the template already.
func NewPrivate(t testing.TB, options ...Option) (*pgxpool.Pool, *pgserver.Server) {
	t.Helper()
	server := startPrivate(t, pgserver.StartCopy)
	ctx, cancel := context.WithTimeout(t.Context(), startWithin)
	defer cancel()
	schema, err := pgdatabase.Project()
	if err != nil {
		t.Fatal("pgtest:", err)
	}
	databases, err := pgdatabase.Open(ctx, server.URL, schema)
	if err != nil {
		t.Fatal("pgtest:", err)
	}
	defer databases.Close()
	name, err := databases.CreateMigrated(ctx)
	if err != nil {
		t.Fatal("pgtest: create a database:", err)
	}
	return openPool(t, databases.URL(name), options), server
}
