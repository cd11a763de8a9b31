package migrate

import (
	"bufio"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/amacneil/dbmate/v2/pkg/dbmate"

	"github.com/pgtasker/pgtasker"
)

// Dump writes the migrations of this program as a script for psql, which does to an empty database what
// Up does, its record included: each migration in a transaction of its own.
//
//	psql -X -v ON_ERROR_STOP=1 -f script
func Dump(w io.Writer) error {
	files := pgtasker.Migrations()
	names, err := fs.Glob(files, "*.sql")
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	first := createTable + ";\n"
	for _, name := range names {
		version, _, _ := strings.Cut(name, "_")
		migration := dbmate.Migration{FileName: name, FilePath: name, FS: files, Version: version}
		parts, err := migration.Parse()
		if err != nil {
			return fmt.Errorf("migrate: read %s: %w", name, err)
		}
		// A writer keeps its first error; Flush returns it.
		_, _ = fmt.Fprintf(out, "\n-- %s\nbegin;\n%s", name, first)
		first = ""
		for _, part := range parts {
			_, _ = fmt.Fprintf(out, "%s\n", part.Up)
		}
		_, _ = fmt.Fprintf(out, "insert into %s (version) values ('%s');\ncommit;\n", table, version)
	}
	return out.Flush()
}
