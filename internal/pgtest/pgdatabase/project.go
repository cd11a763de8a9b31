package pgdatabase

import (
	"os"
	"path/filepath"

	"github.com/pgtasker/pgtasker"
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
	return Schema{
		Migrate:    migrate.Up,
		Migrations: pgtasker.Migrations(),
		Fixtures:   os.DirFS(filepath.Join(root, "pgtap", "fixtures")),
	}, nil
}
