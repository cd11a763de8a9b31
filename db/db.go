// Package db holds the database schema of this version as migrations that are compiled in.
//
// It imports only the standard library, so that package migrate and the root package can both import it.
package db

import (
	"embed"
	"io/fs"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Migrations returns the dbmate migrations of this version, as files named <version>_<name>.sql.
func Migrations() fs.FS {
	dir, err := fs.Sub(migrations, "migrations")
	if err != nil {
		panic(err) // the name is valid, so it cannot be
	}
	return dir
}
