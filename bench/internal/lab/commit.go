package lab

import (
	"context"
	"fmt"

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

// MigrateConn applies the migrations of a commit, read from git, or the migrations of this tree if commit is empty.
func MigrateConn(ctx context.Context, conn *pgx.Conn, commit string) error {
	all, err := checkout.Migrations(ctx, commit)
	if err != nil {
		return err
	}
	for _, m := range all {
		if err := conn.PgConn().Exec(ctx, "begin;"+m.Up+";commit;").Close(); err != nil {
			return fmt.Errorf("%s of %s: %w", m.Name, commit, err)
		}
	}
	return nil
}
