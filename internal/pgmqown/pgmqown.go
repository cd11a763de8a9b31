// Package pgmqown replaces the extension pgmq in a database with this project's own pgmq, so that tests and benchmarks can use
// both on one server.
package pgmqown

import (
	"context"
	"fmt"
	"io/fs"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/db"
)

// Install drops the extension with its queues and runs the migration that brings this project's own pgmq.
func Install(ctx context.Context, pool *pgxpool.Pool) error {
	names, err := fs.Glob(db.Migrations(), "*_pgmq_1_11.sql")
	if err != nil || len(names) != 1 {
		return fmt.Errorf("one migration *_pgmq_1_11.sql is expected, not %d: %w", len(names), err)
	}
	text, err := fs.ReadFile(db.Migrations(), names[0])
	if err != nil {
		return err
	}
	up, _, _ := strings.Cut(string(text), "-- migrate:down")
	version, _, _ := strings.Cut(names[0], "_")

	conn, err := pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	return conn.Conn().PgConn().Exec(ctx, `
		begin;
		drop extension if exists pgmq cascade;
		drop schema if exists pgmq cascade;
		set local tasker.pgmq = 'own';
		delete from tasker.schema_builds where version = '`+version+`';
		`+up+`
		commit;`).Close()
}
