package migrate

import (
	"bufio"
	"fmt"
	"io"

	"github.com/pgtasker/pgtasker/db"
)

// Dump writes the migrations of this program as a script for psql, which migrates an empty database as Up does, with the record of the
// migrations. Each migration runs in a separate transaction.
//
//	psql -X -v ON_ERROR_STOP=1 -f script
func Dump(w io.Writer) error {
	files, err := readFiles(db.Migrations())
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	out := bufio.NewWriter(w)
	first := createTable + ";\n"
	for _, f := range files {
		// A writer keeps its first error. Flush returns it.
		_, _ = fmt.Fprintf(out, "\n-- %s_%s.sql\nbegin;\n%s%s\n", f.version, f.name, first, f.up)
		_, _ = fmt.Fprintf(out, "insert into %s (version) values ('%s');\ncommit;\n", table, f.version)
		first = ""
	}
	return out.Flush()
}
