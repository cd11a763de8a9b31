package verify

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/pgtasker/pgtasker/internal/catalog"
	"github.com/pgtasker/pgtasker/internal/schema"
)

// Databases makes and drops databases on the server that the proofs use.
type Databases interface {
	CreateEmpty(ctx context.Context) (name string, err error)
	Drop(ctx context.Context, name string) error
	URL(name string) string
}

// Verifier proves that a repository's schema and migrations agree.
type Verifier struct {
	Root      string    // the repository's root
	Databases Databases // on a server without other roles and databases
	Log       io.Writer // gets a line for each proof
}

// Verify runs all proofs, even after a proof has failed. Its error has the differences.
func (v Verifier) Verify(ctx context.Context) error {
	tree, err := schema.Load(os.DirFS(v.Root))
	if err != nil {
		return err
	}
	migrations := tree.Migrations
	return errors.Join(
		v.prove("the migrations build what db/schema/schema.sql builds", v.sameDatabase(ctx, migrations)),
		v.prove("each migration's down part undoes its up part", v.eachUndone(ctx, migrations)),
		v.prove("all down parts leave nothing, and all up parts work again", v.allUndone(ctx, migrations)),
	)
}

// prove logs the outcome of a proof and returns its error with the claim.
func (v Verifier) prove(claim string, err error) error {
	if err != nil {
		return fmt.Errorf("does not hold: %s\n%w", claim, err)
	}
	_, err = fmt.Fprintln(v.Log, "holds:", claim)
	return err
}

// sameDatabase proves that the schema and the up parts of the migrations make the same database.
func (v Verifier) sameDatabase(ctx context.Context, migrations []*schema.Migration) error {
	return v.with(ctx, 2, func(databases []*database) error {
		loaded, migrated := databases[0], databases[1]
		if err := loaded.psqlFile(ctx, v.Root, "db/schema/schema.sql"); err != nil {
			return err
		}
		for _, migration := range migrations {
			if err := migrated.psql(ctx, migration.Up.Text); err != nil {
				return fmt.Errorf("%s: %w", migration.Path, err)
			}
		}
		return v.compare(ctx, loaded, migrated, "only in schema.sql", "only in the migrations")
	})
}

// eachUndone runs the up, down and up parts of one migration after another.
func (v Verifier) eachUndone(ctx context.Context, migrations []*schema.Migration) error {
	return v.with(ctx, 1, func(databases []*database) error {
		d := databases[0]
		before, err := catalog.Snapshot(ctx, d.pool)
		for _, migration := range migrations {
			if err != nil {
				return err
			}
			states := []catalog.Objects{before}
			for _, part := range []string{migration.Up.Text, migration.Down.Text, migration.Up.Text} {
				if err := d.execute(ctx, part); err != nil {
					return fmt.Errorf("%s: %w", migration.Path, err)
				}
				state, err := catalog.Snapshot(ctx, d.pool)
				if err != nil {
					return err
				}
				states = append(states, state)
			}
			if err := differs(states[0], states[2], "only before "+migration.Path, "only after its up and down parts"); err != nil {
				return err
			}
			if err := differs(states[1], states[3], "only when "+migration.Path+" is first applied", "only the second time"); err != nil {
				return err
			}
			before = states[3]
		}
		return nil
	})
}

// allUndone runs all up parts, all down parts, and all up parts.
func (v Verifier) allUndone(ctx context.Context, migrations []*schema.Migration) error {
	return v.with(ctx, 2, func(databases []*database) error {
		empty, d := databases[0], databases[1]
		up := func() (catalog.Objects, error) {
			for _, migration := range migrations {
				if err := d.execute(ctx, migration.Up.Text); err != nil {
					return nil, fmt.Errorf("%s: %w", migration.Path, err)
				}
			}
			return catalog.Snapshot(ctx, d.pool)
		}
		first, err := up()
		if err != nil {
			return err
		}
		for i := len(migrations) - 1; i >= 0; i-- {
			if err := d.execute(ctx, migrations[i].Down.Text); err != nil {
				return fmt.Errorf("%s: down: %w", migrations[i].Path, err)
			}
		}
		if err := v.compare(ctx, empty, d, "only in an empty database", "left by the down parts"); err != nil {
			return err
		}
		second, err := up()
		if err != nil {
			return err
		}
		return differs(first, second, "only the first time", "only the second time")
	})
}

// compare returns an error with the differences of two databases.
func (v Verifier) compare(ctx context.Context, a, b *database, onlyA, onlyB string) error {
	var states [2]catalog.Objects
	for i, d := range []*database{a, b} {
		var err error
		if states[i], err = catalog.Snapshot(ctx, d.pool); err != nil {
			return err
		}
	}
	if err := differs(states[0], states[1], onlyA, onlyB); err != nil {
		return err
	}
	program, err := findDump(ctx, a)
	if err != nil {
		_, err = fmt.Fprintln(v.Log, "compared by catalogue only:", err)
		return err
	}
	for i, d := range []*database{a, b} {
		if states[i], err = d.dump(ctx, program); err != nil {
			return err
		}
	}
	return differs(states[0], states[1], onlyA+" (pg_dump)", onlyB+" (pg_dump)")
}

func differs(want, got catalog.Objects, onlyWant, onlyGot string) error {
	if diff := catalog.Diff(want, got); diff != "" {
		return fmt.Errorf("- %s\n+ %s\n%s", onlyWant, onlyGot, diff)
	}
	return nil
}
