// Package catalog describes the contents of the schemas tasker, tasklib and pgmq of a database, so that two states
// can be compared: the result of the migrations with the result of db/schema, or a database before a migration with
// the same database after the migration's down part.
//
//	Snapshot ──> Objects ── String ──> text, an object at a time
//	                     ── Diff ────> the differences
//
// The description has everything that a create, alter, comment or grant can set. It does not depend on the order of
// creation, on object identifiers or on the session. It leaves out data, objects of extensions, and leaf partitions
// (which maintenance makes at run time) with their objects.
package catalog

import (
	"context"
	"embed"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

//go:embed queries/*.sql
var queries embed.FS

// aspects are the queries, in the order of an object's lines. Each query returns names of objects, and lines about these
// objects.
var aspects = []string{
	"objects", "relations", "types", "sequences", "functions", "columns", "constraints", "indexes",
	"triggers", "rules", "policies", "statistics", "default_privileges",
}

// DB can begin a transaction: a pool, a connection, or a transaction.
type DB interface {
	Begin(ctx context.Context) (pgx.Tx, error)
}

// Snapshot returns the contents of the schemas, ordered by name. Without the schemas it returns nothing. It reads the catalogue
// in a transaction that it rolls back.
func Snapshot(ctx context.Context, db DB) (Objects, error) {
	tx, err := db.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = tx.Rollback(ctx) }()

	if _, err := tx.Exec(ctx, query("settings")); err != nil {
		return nil, err
	}
	lines := map[string][]string{}
	for _, aspect := range aspects {
		rows, err := tx.Query(ctx, query("scope")+query(aspect))
		if err != nil {
			return nil, fmt.Errorf("describe %s: %w", aspect, err)
		}
		var object, line string
		_, err = pgx.ForEachRow(rows, []any{&object, &line}, func() error {
			lines[object] = append(lines[object], strings.Split(line, "\n")...)
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("describe %s: %w", aspect, err)
		}
	}
	objects := make(Objects, 0, len(lines))
	for name, lines := range lines {
		objects = append(objects, Object{name, lines})
	}
	slices.SortFunc(objects, func(a, b Object) int { return strings.Compare(a.Name, b.Name) })
	return objects, nil
}

// query returns the text of an embedded file.
func query(name string) string {
	text, err := queries.ReadFile("queries/" + name + ".sql")
	if err != nil {
		panic(err)
	}
	return string(text)
}
