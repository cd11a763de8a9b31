package verify

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/pgtasker/pgtasker/internal/catalog"
)

// dumps are the patterns for the paths of pg_dump. On Debian the pg_dump in PATH is a wrapper, which may choose another
// version.
var dumps = []string{"/usr/lib/postgresql/*/bin/pg_dump", "/usr/pgsql-*/bin/pg_dump"}

var dumpVersion = regexp.MustCompile(`\(PostgreSQL\) (\d+)`)

// findDump returns a pg_dump that can read the database's server: it has the server's major version or a newer version.
func findDump(ctx context.Context, d *database) (string, error) {
	var number int
	if err := d.pool.QueryRow(ctx, "select current_setting('server_version_num')::int").Scan(&number); err != nil {
		return "", err
	}
	major := number / 10000
	var candidates []string
	for _, pattern := range dumps {
		found, err := filepath.Glob(pattern)
		if err != nil {
			return "", err
		}
		candidates = append(candidates, found...)
	}
	for _, candidate := range append(candidates, "pg_dump") {
		version, err := output(ctx, "", "", candidate, "--version")
		if match := dumpVersion.FindStringSubmatch(version); err == nil && match != nil {
			if of, err := strconv.Atoi(match[1]); err == nil && of >= major {
				return candidate, nil
			}
		}
	}
	return "", fmt.Errorf("no pg_dump for PostgreSQL %d is here", major)
}

// dump returns the output of pg_dump for the schema, cut into objects.
func (d *database) dump(ctx context.Context, program string) (catalog.Objects, error) {
	rows, err := d.pool.Query(ctx, `
		select format('%I.%I', n.nspname, c.relname)
		from pg_class as c
		join pg_namespace as n on n.oid = c.relnamespace
		where c.relispartition
		  and c.relkind in ('r', 'f')`)
	if err != nil {
		return nil, err
	}
	leaves, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, err
	}
	arguments := []string{"--schema-only", "--exclude-schema=tasker_meta", "--dbname=" + d.url}
	for _, leaf := range leaves {
		arguments = append(arguments, "--exclude-table="+leaf)
	}
	text, err := output(ctx, "", "", program, arguments...)
	if err != nil {
		return nil, err
	}
	return parseDump(text), nil
}

// parseDump cuts a dump at the headings of its objects. It leaves out lines that name versions or that differ in each dump.
func parseDump(text string) catalog.Objects {
	objects := catalog.Objects{{Name: "the beginning"}}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		switch name, heading := strings.CutPrefix(line, "-- Name: "); {
		case heading:
			objects = append(objects, catalog.Object{Name: name})
		case line == "" || line == "--" || strings.HasPrefix(line, "-- Dumped ") || strings.HasPrefix(line, "-- PostgreSQL database dump") ||
			strings.HasPrefix(line, `\restrict `) || strings.HasPrefix(line, `\unrestrict `):
		default:
			last := &objects[len(objects)-1]
			last.Lines = append(last.Lines, line)
		}
	}
	slices.SortStableFunc(objects, func(a, b catalog.Object) int { return strings.Compare(a.Name, b.Name) })
	return objects
}
