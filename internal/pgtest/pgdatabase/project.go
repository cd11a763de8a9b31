package pgdatabase

import (
	"os"
	"path/filepath"

	"github.com/pgtasker/pgtasker/db"
	"github.com/pgtasker/pgtasker/internal/pgtest/checkout"
	"github.com/pgtasker/pgtasker/migrate"
)

// Project is this project's schema: its migrations, and the fixtures in
// pgtap/fixtures, which Go tests get as well.
func Project() (Schema, error) {
	root, err := checkout.Root()
	if err != nil {
		return Schema{}, err
	}
	schema := Schema{
		Extension:  os.Getenv("PGTASKER_TEST_EXTENSION"), // make test-citus sets it to run the same tests with Citus
		Migrate:    migrate.Up,
		Migrations: db.Migrations(),
		Fixtures:   os.DirFS(filepath.Join(root, "pgtap", "fixtures")),
	}
	return schema, nil
}
