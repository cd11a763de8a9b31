package migrate_test

import (
	"context"
	"fmt"
	"log"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/migrate"
)

// A program brings its database up to date when it starts. Several may start at the same time.
func Example() {
	ctx := context.Background()
	pool, done := exampleDatabase() // pgxpool.New(ctx, os.Getenv("DATABASE_URL")), and pool.Close
	defer done()

	if err := migrate.Up(ctx, pool); err != nil {
		log.Fatal(err)
	}

	migrations, err := migrate.Status(ctx, pool)
	if err != nil {
		log.Fatal(err)
	}
	pending := 0
	for _, migration := range migrations {
		if !migration.Applied {
			pending++
		}
	}
	fmt.Println("migrations to be applied:", pending)
	// Output: migrations to be applied: 0
}

// exampleDatabase returns a pool on an empty database, and what closes and drops them.
func exampleDatabase() (*pgxpool.Pool, func()) {
	e := &example{}
	return pgtest.NewEmpty(e), func() {
		for _, cleanup := range slices.Backward(e.cleanups) {
			cleanup()
		}
	}
}

// example is what pgtest needs of a test, in an example.
type example struct {
	testing.TB
	cleanups []func()
}

func (*example) Helper()                      {}
func (*example) Context() context.Context     { return context.Background() }
func (e *example) Cleanup(cleanup func())     { e.cleanups = append(e.cleanups, cleanup) }
func (*example) Error(arguments ...any)       { log.Fatal(arguments...) }
func (*example) Errorf(f string, args ...any) { log.Fatalf(f, args...) }
func (*example) Fatal(arguments ...any)       { log.Fatal(arguments...) }
