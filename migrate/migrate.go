package migrate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/db"
)

// Migration is one step of the schema's history, and whether the database has applied it.
type Migration struct {
	Version string // 14 digits; migrations are applied in their order
	Name    string // empty if a newer program applied a migration that this one does not have
	Applied bool
}

// String returns the migration's file name without its suffix, or only its version if the name is unknown.
func (m Migration) String() string {
	if m.Name == "" {
		return m.Version
	}
	return m.Version + "_" + m.Name
}

// ErrOutOfOrder is returned when a migration cannot be applied or rolled back because of a newer migration that this program does not know,
// or that was applied before its turn.
var ErrOutOfOrder = errors.New("out of order")

// Up applies the migrations that the database lacks, in order. It returns nil if there are none. If a migration fails, the earlier
// migrations stay applied and the failed migration leaves no changes. The error names the failed migration, and errors.As finds the
// *pgconn.PgError with its detail and hint. Up refuses a database that has other migrations under the same versions with ErrOtherBuild,
// which names the files. While another program migrates the same database, Up waits until ctx ends, at most ten minutes. If a session that
// is no migration holds the lock, ErrLocked names the session.
func Up(ctx context.Context, pool *pgxpool.Pool) error {
	return up(ctx, pool, db.Migrations())
}

// Down rolls back the newest applied migrations, at most steps of them. The rows of their tables are lost. The roles and dbmate's table
// stay.
func Down(ctx context.Context, pool *pgxpool.Pool, steps int) error {
	return down(ctx, pool, db.Migrations(), steps)
}

// Status returns the migrations of this program, and further applied migrations, in order. It changes nothing and never waits.
func Status(ctx context.Context, pool *pgxpool.Pool) ([]Migration, error) {
	return status(ctx, pool, db.Migrations())
}

func up(ctx context.Context, pool *pgxpool.Pool, files fs.FS) error {
	return locked(ctx, pool, func() error {
		r, err := newRun(ctx, pool, files)
		if err != nil {
			return err
		}
		if err := r.checkBuild(ctx); err != nil {
			return err
		}
		return r.up(ctx)
	})
}

func down(ctx context.Context, pool *pgxpool.Pool, files fs.FS, steps int) error {
	if steps < 1 {
		return fmt.Errorf("migrate: cannot roll back %d migrations: the minimum is one", steps)
	}
	return locked(ctx, pool, func() error {
		r, err := newRun(ctx, pool, files)
		if err != nil {
			return err
		}
		return r.down(ctx, steps)
	})
}

func status(ctx context.Context, pool *pgxpool.Pool, files fs.FS) ([]Migration, error) {
	r, err := newRun(ctx, pool, files)
	if err != nil {
		return nil, err
	}
	return r.migrations, nil
}
