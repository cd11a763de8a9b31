package migrate_test

import (
	"context"
	"fmt"
	"log"
	"strings"

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

// The migrations as one script for psql, which does what Up does.
func ExampleDump() {
	var script strings.Builder
	if err := migrate.Dump(&script); err != nil {
		log.Fatal(err)
	}
	fmt.Println(strings.Contains(script.String(), "create table tasker.tasks ("))
	// Output: true
}

// A test takes everything back.
func ExampleDown() {
	ctx := context.Background()
	pool, done := exampleDatabase()
	defer done()
	if err := migrate.Up(ctx, pool); err != nil {
		log.Fatal(err)
	}
	migrations, err := migrate.Status(ctx, pool)
	if err != nil {
		log.Fatal(err)
	}
	if err := migrate.Down(ctx, pool, len(migrations)); err != nil {
		log.Fatal(err)
	}

	migrations, err = migrate.Status(ctx, pool)
	fmt.Println(migrations[0].Applied, err)
	// Output: false <nil>
}

// exampleDatabase returns a pool on a database of its own, and what closes and drops them.
func exampleDatabase() (*pgxpool.Pool, func()) {
	t := &pgtest.Example{}
	return pgtest.NewEmpty(t), t.End
}
