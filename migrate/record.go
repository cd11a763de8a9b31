package migrate

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// The table that "dbmate --migrations-table" makes, on this server only: Citus would create the schema on its worker nodes, too.
const (
	table       = "tasker_meta.schema_migrations"
	createTable = "set local citus.enable_ddl_propagation = off; " +
		"create schema if not exists tasker_meta; " +
		"create table if not exists " + table + " (version varchar primary key)"
)

// unprepared is the mode of all queries, since poolers may not support prepared statements.
const unprepared = pgx.QueryExecModeSimpleProtocol

// record returns the versions that have been applied, and whether the table of versions exists.
func record(ctx context.Context, pool *pgxpool.Pool) (applied map[string]bool, exists bool, err error) {
	applied = map[string]bool{}
	err = pool.QueryRow(ctx, "select to_regclass('"+table+"') is not null", unprepared).Scan(&exists)
	if err != nil || !exists {
		return applied, exists, err
	}
	rows, err := pool.Query(ctx, "select version from "+table, unprepared)
	if err != nil {
		return nil, exists, err
	}
	var version string
	_, err = pgx.ForEachRow(rows, []any{&version}, func() error {
		applied[version] = true
		return nil
	})
	return applied, exists, err
}
