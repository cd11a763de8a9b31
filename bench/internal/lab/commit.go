package lab

import (
	"context"
	"fmt"
	"os/exec"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"
)

// migrateTo applies the migrations of a commit, read from git.
func migrateTo(ctx context.Context, pool *pgxpool.Pool, commit string) error {
	names, err := git(ctx, "ls-tree", "--full-tree", "--name-only", commit, "db/migrations/")
	if err != nil {
		return err
	}
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	for name := range strings.FieldsSeq(names) {
		text, err := git(ctx, "show", commit+":"+name)
		if err != nil {
			return err
		}
		up, _, _ := strings.Cut(text, "-- migrate:down")
		if err := conn.Conn().PgConn().Exec(ctx, "begin;"+up+";commit;").Close(); err != nil {
			return fmt.Errorf("%s of %s: %w", name, commit, err)
		}
	}
	return nil
}

func git(ctx context.Context, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, "git", args...).Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w", strings.Join(args, " "), err)
	}
	return string(out), nil
}
