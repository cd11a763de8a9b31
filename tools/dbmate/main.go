// Command dbmate is a dbmate that has only the driver for PostgreSQL:
//
//	dbmate [-dir DIRECTORY] up|down|status
//
// It migrates the database of DATABASE_URL. The command-line tool of the dbmate project also has drivers for BigQuery,
// ClickHouse and SQLite, and takes minutes to compile. "make verify" proves that package migrate agrees with that tool.
package main

import (
	"flag"
	"fmt"
	"net/url"
	"os"

	"github.com/amacneil/dbmate/v2/pkg/dbmate"
	_ "github.com/amacneil/dbmate/v2/pkg/driver/postgres" // registers the driver
)

func main() {
	dir := flag.String("dir", "db/migrations", "the `DIRECTORY` of the migrations")
	flag.Parse()
	if err := run(*dir, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "dbmate:", err)
		os.Exit(1)
	}
}

func run(dir string, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("got %d commands, not one of up, down and status", len(args))
	}
	address := os.Getenv("DATABASE_URL")
	if address == "" {
		return fmt.Errorf("DATABASE_URL is not set: name a database in it (postgres://…)")
	}
	location, err := url.Parse(address)
	if err != nil {
		return err
	}
	db := dbmate.New(location)
	db.MigrationsDir = []string{dir}
	db.MigrationsTableName = "tasker_meta.schema_migrations"
	db.AutoDumpSchema = false
	switch args[0] {
	case "up":
		return db.CreateAndMigrate()
	case "down":
		return db.Rollback()
	case "status":
		_, err := db.Status(false)
		return err
	default:
		return fmt.Errorf("no command %q: up, down or status", args[0])
	}
}
