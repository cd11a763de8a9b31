package migrate

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// run is one call's view of a database. Files and record have dbmate's format. The package makes its own transactions, because the
// transactions of dbmate take no context, do not name the failed migration, and leave the migrations table behind if the first migration
// fails.
type run struct {
	pool       *pgxpool.Pool
	migrations []Migration
	files      map[string]file // by version
	missing    bool            // dbmate's table is not there yet
}

// newRun reads the available and the applied migrations.
func newRun(ctx context.Context, pool *pgxpool.Pool, files fs.FS) (*run, error) {
	found, err := readFiles(files)
	if err != nil {
		return nil, fmt.Errorf("migrate: %w", err)
	}
	applied, exists, err := record(ctx, pool)
	if err != nil {
		return nil, fmt.Errorf("migrate: find migrations: %w", err)
	}
	r := &run{pool: pool, files: map[string]file{}, missing: !exists}
	for _, f := range found {
		r.files[f.version] = f
		r.migrations = append(r.migrations, Migration{f.version, f.name, applied[f.version]})
	}
	for version := range applied {
		if _, known := r.files[version]; !known {
			r.migrations = append(r.migrations, Migration{Version: version, Applied: true})
		}
	}
	slices.SortFunc(r.migrations, func(a, b Migration) int { return strings.Compare(a.Version, b.Version) })
	return r, nil
}

// up applies the pending migrations.
func (r *run) up(ctx context.Context) error {
	newest := ""
	for _, m := range r.migrations {
		if m.Applied {
			newest = m.Version
		}
	}
	for _, m := range r.migrations {
		if m.Applied {
			continue
		}
		err := fmt.Errorf("%w: %s is applied already", ErrOutOfOrder, newest)
		if m.Version > newest {
			err = r.apply(ctx, m.Version)
		}
		if err != nil {
			return fmt.Errorf("migrate: apply %s: %w", m, err)
		}
	}
	return nil
}

// down rolls back the newest applied migrations.
func (r *run) down(ctx context.Context, steps int) error {
	for _, m := range slices.Backward(r.migrations) {
		if !m.Applied || steps == 0 {
			continue
		}
		err := fmt.Errorf("%w: only the program that applied it can", ErrOutOfOrder)
		if m.Name != "" {
			err = r.rollBack(ctx, m.Version)
		}
		if err != nil {
			return fmt.Errorf("migrate: roll back %s: %w", m, err)
		}
		steps--
	}
	return nil
}

// apply runs a migration's up part.
func (r *run) apply(ctx context.Context, version string) error {
	err := r.execute(ctx, version, r.files[version].up, "insert into "+table+" (version) values ($1)")
	r.missing = r.missing && err != nil
	return err
}

// rollBack runs a migration's down part.
func (r *run) rollBack(ctx context.Context, version string) error {
	return r.execute(ctx, version, r.files[version].down, "delete from "+table+" where version = $1")
}

// execute runs a part of a migration and records it, in one transaction. The record is written in the role that the connection had before.
// A migration takes the role tasker_owner and then the login role, and a hook of the pool may have set another role.
func (r *run) execute(ctx context.Context, version, part, note string) error {
	return pgx.BeginFunc(ctx, r.pool, func(tx pgx.Tx) error {
		if r.missing {
			if _, err := tx.Exec(ctx, createTable); err != nil {
				return fmt.Errorf("create %s: %w", table, err)
			}
		}
		var role string
		if err := tx.QueryRow(ctx, "select current_setting('role')", unprepared).Scan(&role); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, part); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "select set_config('role', $1, false)", unprepared, role); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, note, unprepared, version)
		return err
	})
}
