package verify

import (
	"context"
	"fmt"
	"math"

	"github.com/pgtasker/pgtasker/internal/catalog"
	"github.com/pgtasker/pgtasker/migrate"
)

// VerifyTurns proves for the migrations of this repository, which are compiled in, that package migrate and the dbmate
// command-line tool of tools/go.mod agree. Each of the two continues from the state that the other leaves. The first run takes
// minutes, because it builds the tool.
func (v Verifier) VerifyTurns(ctx context.Context) error {
	return v.prove("dbmate and package migrate can take turns", v.turns(ctx))
}

func (v Verifier) turns(ctx context.Context) error {
	return v.with(ctx, 2, func(databases []*database) error {
		library, tool := databases[0], databases[1]

		if err := migrate.Up(ctx, library.pool); err != nil {
			return err
		}
		if err := v.dbmate(ctx, tool, "up"); err != nil {
			return err
		}
		if err := v.sameState(ctx, library, tool); err != nil {
			return fmt.Errorf("after up: %w", err)
		}

		// Each tool continues where the other tool stopped, and finds no further work.
		if err := v.dbmate(ctx, library, "down"); err != nil {
			return err
		}
		if err := migrate.Down(ctx, tool.pool, 1); err != nil {
			return err
		}
		if err := v.sameState(ctx, library, tool); err != nil {
			return fmt.Errorf("after one down: %w", err)
		}
		for range 2 {
			if err := v.dbmate(ctx, tool, "up"); err != nil {
				return err
			}
			if err := migrate.Up(ctx, library.pool); err != nil {
				return err
			}
			library, tool = tool, library
		}
		if err := v.sameState(ctx, library, tool); err != nil {
			return fmt.Errorf("after up again: %w", err)
		}
		return migrate.Down(ctx, tool.pool, math.MaxInt)
	})
}

// dbmate runs the command-line tool, whose module is not in the workspace. The only special option names the table of the
// migrations.
func (v Verifier) dbmate(ctx context.Context, d *database, command string) error {
	return run(ctx, v.Root, "", "env", "GOWORK=off", "CGO_ENABLED=0", "go", "tool", "-modfile=tools/go.mod", "dbmate",
		"--url", d.url, "--migrations-dir", "db/migrations", "--migrations-table", "tasker_meta.schema_migrations",
		"--no-dump-schema", command)
}

// sameState compares the migrated objects, the recorded migrations, and the definition of the table that records them.
func (v Verifier) sameState(ctx context.Context, library, tool *database) error {
	noted := map[*database]string{}
	for _, d := range []*database{library, tool} {
		status, err := migrate.Status(ctx, d.pool)
		if err != nil {
			return err
		}
		var columns string
		err = d.pool.QueryRow(ctx, `
			select string_agg(concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, i.indisprimary), ', ')
			from pg_attribute as a
			left join pg_index as i on i.indrelid = a.attrelid and a.attnum = any (i.indkey)
			where a.attrelid = 'tasker_meta.schema_migrations'::regclass
			  and a.attnum > 0`).Scan(&columns)
		if err != nil {
			return err
		}
		noted[d] = fmt.Sprintf("%v in a table of %s", status, columns)
	}
	if noted[library] != noted[tool] {
		return fmt.Errorf("package migrate: %s\ndbmate: %s", noted[library], noted[tool])
	}
	states := map[*database]catalog.Objects{}
	for _, d := range []*database{library, tool} {
		state, err := catalog.Snapshot(ctx, d.pool)
		if err != nil {
			return err
		}
		states[d] = state
	}
	return differs(states[library], states[tool], "only by package migrate", "only by dbmate")
}
