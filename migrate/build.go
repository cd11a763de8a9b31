package migrate

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/db"
	"github.com/pgtasker/pgtasker/internal/made"
)

// ErrOtherBuild is returned if applied migrations differ from this program's migrations of the same versions.
var ErrOtherBuild = errors.New("the database was made by another build")

// Differences returns the files of db/schema in which the applied migrations differ from this program's migrations of the same versions. It
// returns no files if this build made the database, or a build with the same files. A migration that the database lacks is no difference.
// Differences changes nothing.
func Differences(ctx context.Context, pool *pgxpool.Pool) ([]string, error) {
	r, err := newRun(ctx, pool, db.Migrations())
	if err != nil {
		return nil, err
	}
	return r.differences(ctx, false)
}

// differences reads with the rights of the caller, or as the owner, since a login that migrates may take the owner's role.
func (r *run) differences(ctx context.Context, asOwner bool) ([]string, error) {
	var ours []made.Build
	comparable, known := false, map[string]bool{}
	for _, m := range r.migrations {
		builds := made.Parse(r.files[m.Version].up)
		ours = append(ours, builds...)
		// Migrations before the migration that makes the table noted nothing.
		comparable = comparable || m.Applied && len(builds) > 0
		known[m.Version] = m.Applied && m.Name != ""
	}
	if !comparable {
		return nil, nil
	}
	theirs, err := r.builds(ctx, asOwner)
	if err != nil {
		return nil, fmt.Errorf("migrate: find what the database was made of: %w", err)
	}
	return made.Differences(ours, theirs, func(version string) bool { return known[version] }), nil
}

// builds returns the sources from which the database was made.
func (r *run) builds(ctx context.Context, asOwner bool) (builds []made.Build, err error) {
	err = pgx.BeginFunc(ctx, r.pool, func(tx pgx.Tx) error {
		var function, exists bool
		err := tx.QueryRow(
			ctx, "select to_regprocedure('tasker.list_schema_builds()') is not null, to_regclass('tasker.schema_builds') is not null", unprepared,
		).Scan(&function, &exists)
		if err != nil || !exists {
			return err
		}
		if asOwner {
			if _, err := tx.Exec(ctx, "set local role tasker_owner"); err != nil {
				return err
			}
		}
		from := "tasker.schema_builds"
		if function {
			from = "tasker.list_schema_builds()"
		}
		rows, err := tx.Query(ctx, "select version, files from "+from, unprepared)
		if err != nil {
			return err
		}
		builds, err = pgx.CollectRows(rows, pgx.RowToStructByPos[made.Build])
		return err
	})
	return builds, err
}

// checkBuild returns ErrOtherBuild with some of the files that differ.
func (r *run) checkBuild(ctx context.Context) error {
	names, err := r.differences(ctx, true)
	if err != nil || len(names) == 0 {
		return err
	}
	return fmt.Errorf("migrate: %w: %s; make it again", ErrOtherBuild, made.Different(names))
}
