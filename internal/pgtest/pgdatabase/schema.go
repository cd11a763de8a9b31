package pgdatabase

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Schema is the contents of a migrated database.
type Schema struct {
	// Extension is an extension that is created first, in empty databases, too. It may be "".
	Extension string
	// Migrate brings an empty database to the newest version.
	Migrate func(ctx context.Context, pool *pgxpool.Pool) error
	// Migrations are the files that Migrate applies. The template's name depends on them.
	Migrations fs.FS
	// Fixtures are the *.sql files that are loaded after migrating, in the
	// order of their names, each in one transaction. There may be none.
	Fixtures fs.FS
}

// fixtures returns the names of the fixture files in order.
func (s Schema) fixtures() ([]string, error) {
	return fs.Glob(s.Fixtures, "*.sql")
}

// hash returns a hash of the files. It does not depend on their directory. The lengths of names and contents are hashed, too,
// so that no byte can move between a name and a content.
func (s Schema) hash() (string, error) {
	sum := sha256.New()
	add := func(kind string, files fs.FS, name string) error {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(sum, "%s %d %s %d\n%s", kind, len(name), name, len(text), text)
		return err
	}

	err := fs.WalkDir(s.Migrations, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		return add("migration", s.Migrations, name)
	})
	if err != nil {
		return "", err
	}
	sum.Write([]byte(s.Extension))
	fixtures, err := s.fixtures()
	if err != nil {
		return "", err
	}
	for _, name := range fixtures {
		if err := add("fixture", s.Fixtures, name); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(sum.Sum(nil)[:10]), nil
}
