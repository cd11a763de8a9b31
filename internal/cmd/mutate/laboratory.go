package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgtasker/pgtasker/internal/mutate"
	"github.com/pgtasker/pgtasker/internal/pgtest/pgdatabase"
)

const invalidChange = "invalid"

// laboratory tries mutations, one after the other, on one server.
type laboratory struct {
	root, work string
	tree       mutate.Tree
	session    *pgdatabase.Session
	sealed     string            // the database that others are copied from
	control    string            // one without a mutation
	changed    []string          // one with the mutation for each file that runs at once
	sound      map[string]bool   // files that were run without a mutation
	tests      map[string]string // compiled Go tests and the folders that they run in
}

func newLaboratory(ctx context.Context, root string, tree mutate.Tree, session *pgdatabase.Session) (l *laboratory, err error) {
	work, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return nil, err
	}
	l = &laboratory{root: root, work: work, tree: tree, session: session, sound: map[string]bool{}, tests: map[string]string{}}
	if err := errors.Join(l.compile(ctx), l.createDatabases(ctx)); err != nil {
		return nil, errors.Join(err, l.close())
	}
	return l, nil
}

// compile builds the Go tests.
func (l *laboratory) compile(ctx context.Context) error {
	for path := range strings.SplitSeq(*packages, ",") {
		if path == "" {
			continue
		}
		test := filepath.Join(l.work, filepath.Base(path)+".test")
		cmd := exec.CommandContext(ctx, "go", "test", "-c", "-o", test, path) //nolint:gosec // named by the person who runs it
		cmd.Dir, cmd.Stderr = l.root, os.Stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("%s: %w", cmd, err)
		}
		l.tests[test] = filepath.Join(l.root, path)
	}
	return nil
}

func (l *laboratory) createDatabases(ctx context.Context) (err error) {
	if l.sealed, err = l.session.CreateMigrated(ctx); err != nil {
		return err
	}
	if err := l.load(ctx, l.sealed, "create extension pgtap schema public"); err != nil {
		return fmt.Errorf("create extension pgtap: %w", err)
	}
	if err := l.session.Seal(ctx, l.sealed); err != nil {
		return err
	}
	if l.control, err = l.session.Copy(ctx, l.sealed); err != nil {
		return err
	}
	l.changed = make([]string, max(1, *jobs))
	for i := range l.changed {
		if l.changed[i], err = l.session.Copy(ctx, l.sealed); err != nil {
			return err
		}
	}
	return nil
}

func (l *laboratory) close() error {
	ctx := context.Background()
	err := os.RemoveAll(l.work)
	for _, name := range append(l.changed, l.control, l.sealed) {
		if name != "" {
			err = errors.Join(err, l.session.Drop(ctx, name))
		}
	}
	return err
}

// try returns who noticed the mutation, or nothing.
func (l *laboratory) try(ctx context.Context, c candidate) (verdict string, err error) {
	var refused bool
	for i, name := range l.changed {
		if err := l.load(ctx, name, asOwner(c.Text)); err != nil {
			refused = i == 0
			if !refused {
				return "", err
			}
			break
		}
	}
	if refused {
		return invalidChange, ctx.Err()
	}
	defer func() {
		for _, name := range l.changed {
			err = errors.Join(err, l.load(context.WithoutCancel(ctx), name, asOwner(l.tree[c.function].Text)))
		}
	}()
	file, err := l.firstRed(ctx, c)
	if file != "" || err != nil {
		return file, err
	}
	return l.goTests(ctx, c)
}

// asOwner is a function's file as the migrations load it.
func asOwner(text string) string {
	return "set local role tasker_owner;\n" + text + "\nreset role;\n"
}

// load executes all statements of text in one transaction.
func (l *laboratory) load(ctx context.Context, name, text string) (err error) {
	conn, err := pgx.Connect(ctx, l.session.URL(name))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }()
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		return tx.Conn().PgConn().Exec(ctx, text).Close()
	})
}

// goTests returns the package that noticed the mutation.
func (l *laboratory) goTests(ctx context.Context, c candidate) (verdict string, err error) {
	file := filepath.Join(l.work, "mutation.sql")
	if err := os.WriteFile(file, []byte(asOwner(c.Text)), 0o600); err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, l.dropTemplates(context.WithoutCancel(ctx))) }()
	for test, folder := range l.tests {
		within, cancel := context.WithTimeout(ctx, 6*time.Minute)
		cmd := exec.CommandContext(within, test, "-test.timeout", "5m", "-test.failfast") //nolint:gosec // built by compile
		cmd.Dir = folder
		cmd.Env = append(os.Environ(), "PGTASKER_TEST_MUTATION="+file, "PGTASKER_TEST_DATABASE_URL="+l.session.URL("postgres"))
		err := cmd.Run()
		cancel()
		if err != nil {
			return strings.TrimSuffix(filepath.Base(test), ".test"), ctx.Err()
		}
	}
	return "", ctx.Err()
}

// dropTemplates drops the databases that Go tests cloned theirs from, but the one without a mutation.
func (l *laboratory) dropTemplates(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, l.session.URL("postgres"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	rows, err := conn.Query(ctx, `
		select d.datname
		  from pg_database as d
		 where d.datname like 'pgtest\_%'
		   and pg_catalog.shobj_description(d.oid, 'pg_database') = 'mutated'`)
	if err != nil {
		return err
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	for _, name := range names {
		err = errors.Join(err, l.session.Drop(ctx, name))
	}
	return err
}
