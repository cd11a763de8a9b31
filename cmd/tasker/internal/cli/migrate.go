package cli

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/migrate"
)

// migration is the JSON of a migration.
type migration struct {
	Version string `json:"version"`
	Name    string `json:"name"`
	Applied bool   `json:"applied"`
}

func (a *app) migrateCommands() *cobra.Command {
	return a.group("migrate", "Bring a database to this version, and back", `Migrations are plain dbmate files that are compiled in; dbmate and tasker may take turns. One process
migrates at a time, the others wait. docs/install.md tells the rights that it takes.`,
		a.migrateUp(), a.migrateDown(), a.migrateStatus(), a.migrateDump())
}

func (a *app) migrateUp() *cobra.Command {
	return a.leaf(cobra.Command{
		Use:   "up",
		Short: "Apply the migrations that the database lacks",
	}, "an array of the migrations that were applied: version, name, applied", func(ctx context.Context, _ []string) error {
		return a.migrated(ctx, "applied", func() error { return migrate.Up(ctx, a.pool) })
	})
}

func (a *app) migrateDown() *cobra.Command {
	var (
		steps int
		yes   bool
	)
	command := a.leaf(cobra.Command{
		Use:   "down",
		Short: "Revert the newest migrations, with everything in their tables",
		Example: `  tasker migrate down              # the newest one, after a question
  tasker migrate down --migrations 3 --yes`,
	}, "an array of the migrations that were taken back: version, name, applied", func(ctx context.Context, _ []string) error {
		if steps < 1 {
			return &problem{Exit: exitUsage, Message: "--migrations is at least 1"}
		}
		pool, err := a.connect(ctx)
		if err != nil {
			return err
		}
		if !yes {
			if err := a.confirm("What is in the tables is lost", pool.Config().ConnConfig.Database); err != nil {
				return err
			}
		}
		return a.migrated(ctx, "taken back", func() error { return migrate.Down(ctx, a.pool, steps) })
	})
	command.Flags().IntVar(&steps, "migrations", 1, "how many migrations")
	command.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return command
}

// confirm asks a person to type a name, and fails without a terminal.
func (a *app) confirm(what, name string) error {
	in, isFile := a.In.(*os.File)
	if isFile && !term.New(in, a.Getenv).Terminal {
		return &problem{Exit: exitUsage, Message: what + ": cannot ask for confirmation without a terminal", Hint: "Pass --yes to confirm."}
	}
	if err := a.errs.Say("%s. Type the database's name (%s) to go on: ", what, term.Clean(name)); err != nil {
		return err
	}
	answer, _ := bufio.NewReader(a.In).ReadString('\n')
	if strings.TrimSpace(answer) != name {
		return &problem{Exit: exitFailed, Message: "nothing was done"}
	}
	return nil
}

// migrated calls change and shows which migrations it changed.
func (a *app) migrated(ctx context.Context, verb string, change func() error) error {
	pool, err := a.connect(ctx)
	if err != nil {
		return err
	}
	before, err := migrate.Status(ctx, pool)
	if err != nil {
		return err
	}
	failure := change()
	after, err := migrate.Status(ctx, pool)
	if err != nil {
		return joinErrors(failure, err)
	}
	applied := map[string]bool{}
	for _, m := range before {
		applied[m.Version] = m.Applied
	}
	changed := []migration{}
	now := map[string]bool{}
	for _, m := range after {
		now[m.Version] = true
		if m.Applied != applied[m.Version] {
			changed = append(changed, migration(m))
		}
	}
	err = a.show(changed, func() error {
		for _, m := range changed {
			if err := a.out.Say("%s %s\n", verb, migrate.Migration(m)); err != nil {
				return err
			}
		}
		if len(changed) == 0 && failure == nil {
			return a.out.Say("nothing to do: %s\n", schemaVersion(after))
		}
		return nil
	})
	return joinErrors(failure, err)
}

// joinErrors returns the first error.
func joinErrors(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// schemaVersion describes how far a database is migrated.
func schemaVersion(migrations []migrate.Migration) string {
	newest, applied, pending := "", 0, 0
	for _, m := range migrations {
		if m.Applied {
			newest, applied = m.String(), applied+1
		} else {
			pending++
		}
	}
	switch {
	case applied == 0:
		return "no migration is applied"
	case pending == 0:
		return fmt.Sprintf("%s applied, the newest is %s", count(applied, "migration"), newest)
	}
	return fmt.Sprintf("%s applied, the newest is %s, %d pending", count(applied, "migration"), newest, pending)
}

func (a *app) migrateStatus() *cobra.Command {
	var check bool
	command := a.leaf(cobra.Command{
		Use:   "status",
		Short: "Show which migrations the database has",
	}, "an array of all migrations: version, name, applied", func(ctx context.Context, _ []string) error {
		pool, err := a.connect(ctx)
		if err != nil {
			return err
		}
		migrations, err := migrate.Status(ctx, pool)
		if err != nil {
			return err
		}
		pending := false
		rows := make([]migration, len(migrations))
		for i, m := range migrations {
			rows[i] = migration(m)
			pending = pending || !m.Applied
		}
		err = list(a, rows, "there are no migrations", term.NewTable("", "VERSION", "NAME"), func(m migration) []term.Cell {
			mark, name := term.Colored("○", term.Yellow), term.Text(m.Name)
			if m.Applied {
				mark = term.Colored("●", term.Green)
			}
			if m.Name == "" {
				name = term.Colored("of a newer tasker", term.Dim)
			}
			return []term.Cell{mark, term.Text(m.Version), name}
		})
		if err == nil && check && pending {
			return silent
		}
		return err
	})
	command.Flags().BoolVar(&check, "check", false, fmt.Sprintf("exit with %d if a migration is pending", exitNo))
	return command
}

func (a *app) migrateDump() *cobra.Command {
	return a.leaf(cobra.Command{
		Use:   "dump",
		Short: "Print all migrations as one script for psql; needs no database",
		Long: `Print all migrations as one script for psql. On an empty database the script does the same as "tasker migrate
up", and also records the migrations.`,
		Example: `  tasker migrate dump | psql -X -v ON_ERROR_STOP=1 "$DATABASE_URL"`,
	}, "an object: sql, the script", func(context.Context, []string) error {
		var script bytes.Buffer
		if err := migrate.Dump(&script); err != nil {
			return err
		}
		return a.show(map[string]string{"sql": script.String()}, func() error {
			_, err := a.Out.Write(script.Bytes())
			return err
		})
	})
}
