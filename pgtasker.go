// Package pgtasker is a workflow engine in PostgreSQL. A template is a directed acyclic graph of steps, and a task is a run of a template.
// SQL functions make all decisions about tasks.
//
// [Open] opens the database. A [DB] applies the migrations, makes workers, and groups the SQL functions by the tasks of their users:
//
//	db, err := pgtasker.Open(ctx, os.Getenv("DATABASE_URL"))
//	err = db.Migrate(ctx)
//	task, err := db.Tasks().Create(ctx, executor.TaskRequest{Namespace: "shop", Name: "order", Context: order})
//
//	w, err := db.Worker(worker.Config{Namespaces: []string{"shop"}})
//	worker.Handle(w, "charge", chargeCard)
//	err = w.Run(ctx)
//
//	changed, err := db.Operate().Cancel(ctx, task.TaskUUID, pgtasker.By{Actor: "ada", Reason: "the customer called"})
//
// [executor.Client.SQL] has a method for every SQL function.
//
// You can also use the underlying packages without this package, with any pool:
//
//	pgtasker ──▶ migrate   applies the migrations of package db, as the dbmate command-line tool does
//	         ──▶ executor  calls the SQL functions: executor.NewClient(tx) does so in your transaction
//	         ──▶ worker    runs the handlers of steps
//
// Package workflow defines templates and their handlers in Go. Package workertest tests workflows. Package tasklib is a queue in one table,
// for work that needs no graph. Pass [DB.Pool] to these packages.
package pgtasker

import (
	"context"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5/pgxpool"

	schema "github.com/pgtasker/pgtasker/db"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/listen"
	"github.com/pgtasker/pgtasker/migrate"
	"github.com/pgtasker/pgtasker/worker"
)

// DB is a database in which pgtasker is installed, or in which Migrate installs it. Its methods Tasks, Operate, Signals and so on come from
// [executor.Client]. Each call runs in a separate transaction.
type DB struct {
	*executor.Client
	// Pool has the connections for all calls. Your own queries may use it, too.
	Pool *pgxpool.Pool

	owned bool // Open made the pool
}

// By says who makes a change and why.
type By = executor.By

// Open connects to a database, and fails if it cannot connect. The argument url is a URL or a keyword/value string of libpq. The caller
// closes the DB. Open changes nothing in the database, unlike [DB.Migrate]. Its pool detects dead connections: it uses TCP keep-alives, a
// timeout for pinging idle connections, and a timeout for connecting.
func Open(ctx context.Context, url string) (*DB, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("pgtasker: open: %w", err)
	}
	listen.KeepAlive(config)
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("pgtasker: open: %w", err)
	}
	if err := pool.Ping(ctx); err != nil {
		pool.Close()
		return nil, fmt.Errorf("pgtasker: open: %w", err)
	}
	db := New(pool)
	db.owned = true
	return db, nil
}

// New returns a DB that uses a pool, which the caller closes.
func New(pool *pgxpool.Pool) *DB {
	return &DB{Client: executor.NewClient(pool), Pool: pool}
}

// Close closes the pool if Open made it, and waits until all connections are returned to the pool.
func (db *DB) Close() {
	if db.owned {
		db.Pool.Close()
	}
}

// Migrate applies the migrations that the database lacks, as [migrate.Up] does. Several processes may call it at the same time. Its role
// must have the right to create schemas and roles. A service with fewer rights leaves the migration to another program.
func (db *DB) Migrate(ctx context.Context) error {
	return migrate.Up(ctx, db.Pool)
}

// Worker returns a worker of this database, as [worker.New] does. It starts nothing: register handlers on the worker, then call Run.
func (db *DB) Worker(config worker.Config) (*worker.Worker, error) {
	return worker.New(db.Pool, config)
}

// Migrations returns the dbmate migrations of this version, as files named <version>_<name>.sql.
func Migrations() fs.FS { return schema.Migrations() }
