// Package pgtasker is a workflow engine that lives in PostgreSQL: tasks are runs of templates, which are
// directed acyclic graphs of steps, and every decision about them is made by SQL functions.
//
// This package holds the schema, as migrations that are compiled in. Package migrate applies them; the
// dbmate command-line tool and plain psql do the same. Package executor calls the functions, package
// worker runs steps, and package tasklib is a one-table queue for work that needs no graph.
package pgtasker

import (
	"embed"
	"io/fs"
)

//go:embed db/migrations/*.sql
var migrations embed.FS

// Migrations returns the dbmate migrations of this version, as files named <version>_<name>.sql.
func Migrations() fs.FS {
	dir, err := fs.Sub(migrations, "db/migrations")
	if err != nil {
		panic(err) // the name is valid, so it cannot be
	}
	return dir
}
