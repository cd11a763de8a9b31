package lab

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/internal/pgtest/checkout"
)

// migrateTo applies the migrations of a commit.
func migrateTo(ctx context.Context, pool *pgxpool.Pool, commit string) error {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	return MigrateConn(ctx, conn.Conn(), commit)
}

// MigrateConn applies the migrations of a commit, read from git, or those of this tree if commit is empty.
func MigrateConn(ctx context.Context, conn *pgx.Conn, commit string) error {
	texts, err := migrations(ctx, commit)
	if err != nil {
		return err
	}
	for _, m := range texts {
		up, _, _ := strings.Cut(m.text, "-- migrate:down")
		if err := conn.PgConn().Exec(ctx, "begin;"+up+";commit;").Close(); err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
	}
	return nil
}

type migration struct{ name, text string }

func migrations(ctx context.Context, commit string) (all []migration, err error) {
	if commit == "" {
		return migrationsHere()
	}
	names, err := git(ctx, "ls-tree", "--full-tree", "--name-only", commit, "db/migrations/")
	if err != nil {
		return nil, err
	}
	for name := range strings.FieldsSeq(names) {
		text, err := git(ctx, "show", commit+":"+name)
		if err != nil {
			return nil, err
		}
		all = append(all, migration{name + " of " + commit, text})
	}
	return all, nil
}

func migrationsHere() (all []migration, err error) {
	root, err := checkout.Root()
	if err != nil {
		return nil, err
	}
	names, err := filepath.Glob(filepath.Join(root, "db", "migrations", "*.sql")) // sorted
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		all = append(all, migration{filepath.Base(name), string(text)})
	}
	return all, nil
}

func git(ctx context.Context, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, "git", args...).Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w", strings.Join(args, " "), err)
	}
	return string(out), nil
}
