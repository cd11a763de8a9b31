package migrate

import (
	"context"
	"database/sql"
	"io"
	"io/fs"
	"net/url"

	"github.com/amacneil/dbmate/v2/pkg/dbmate"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
)

// The same table as "dbmate --migrations-table" makes, on this server only: Citus would make the schema on its worker
// nodes, too.
const (
	table       = "tasker_meta.schema_migrations"
	createTable = "set local citus.enable_ddl_propagation = off; " +
		"create schema if not exists tasker_meta; " +
		"create table if not exists " + table + " (version varchar primary key)"
)

// unprepared is how all queries are made: poolers may not know of prepared statements.
const unprepared = pgx.QueryExecModeSimpleProtocol

// scheme is the name under which dbmate knows this package's driver.
const scheme = "pgtasker-pool"

func init() {
	dbmate.RegisterDriver(func(config dbmate.DriverConfig) dbmate.Driver { return config.Log.(*driver) }, scheme)
}

// driver lets dbmate look into a database over a pgxpool. dbmate makes a driver only from its
// configuration, in which the pool has no place; so the driver itself stands there as the log, and
// discards what dbmate writes.
type driver struct {
	io.Writer
	dbmate.Driver // nil: what changes the database is not called
	ctx           context.Context
	pool          *pgxpool.Pool
	exists        bool            // there is a migrations table
	applied       map[string]bool // the versions in it
}

func newDriver(ctx context.Context, pool *pgxpool.Pool) *driver {
	return &driver{Writer: io.Discard, ctx: ctx, pool: pool, applied: map[string]bool{}}
}

// find returns the migration files in order; exists and applied then describe the database.
func (d *driver) find(files fs.FS) ([]dbmate.Migration, error) {
	db := dbmate.New(&url.URL{Scheme: scheme})
	db.FS, db.MigrationsDir, db.MigrationsTableName, db.Log = files, []string{"."}, table, d
	return db.FindMigrations()
}

// Open returns the pool as a database/sql one, which keeps no connection. dbmate opens and closes it; the
// methods below ask the pool itself.
func (d *driver) Open() (*sql.DB, error) {
	return stdlib.OpenDBFromPool(d.pool), nil
}

// MigrationsTableExists reports whether something has been migrated, ever.
func (d *driver) MigrationsTableExists(*sql.DB) (bool, error) {
	err := d.pool.QueryRow(d.ctx, "select to_regclass('"+table+"') is not null", unprepared).Scan(&d.exists)
	return d.exists, err
}

// SelectMigrations returns the versions that have been applied. dbmate asks for all, with limit -1.
func (d *driver) SelectMigrations(*sql.DB, int) (map[string]bool, error) {
	rows, err := d.pool.Query(d.ctx, "select version from "+table, unprepared)
	if err != nil {
		return nil, err
	}
	var version string
	_, err = pgx.ForEachRow(rows, []any{&version}, func() error {
		d.applied[version] = true
		return nil
	})
	return d.applied, err
}
