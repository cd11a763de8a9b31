package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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
	sealed     string     // the database that others are copied from
	control    string     // the database without a mutation
	changed    []string   // a database with the mutation for each file that runs at once
	calls      *recording // of pgTAP files
	tests      []goTest
}

// goTest is a compiled Go test package.
type goTest struct{ binary, folder, run string }

func newLaboratory(ctx context.Context, root string, tree mutate.Tree, session *pgdatabase.Session) (l *laboratory, err error) {
	work, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return nil, err
	}
	l = &laboratory{root: root, work: work, tree: tree, session: session}
	if l.calls, err = readRecording(root, tree.Hash()); err != nil {
		return nil, errors.Join(err, l.close())
	}
	if err := l.createDatabases(ctx); err != nil {
		return nil, errors.Join(err, l.close())
	}
	return l, nil
}

// compile builds the Go tests when they are first needed.
func (l *laboratory) compile(ctx context.Context) error {
	if len(l.tests) > 0 {
		return nil
	}
	for named := range strings.SplitSeq(*packages, ",") {
		if named == "" {
			continue
		}
		path, run, _ := strings.Cut(named, "=")
		test := goTest{filepath.Join(l.work, filepath.Base(path)+".test"), filepath.Join(l.root, path), run}
		cmd := exec.CommandContext(ctx, "go", "test", "-c", "-o", test.binary, path)
		cmd.Dir, cmd.Stderr = l.root, os.Stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("%s: %w", cmd, err)
		}
		l.tests = append(l.tests, test)
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

// try returns the test that noticed the mutation, or nothing.
func (l *laboratory) try(ctx context.Context, c candidate) (verdict string, err error) {
	c.sql = asOwner(l.tree.With(c.Text))
	for i, name := range l.changed {
		if err := l.load(ctx, name, c.sql); err != nil {
			if i == 0 {
				return invalidChange, ctx.Err()
			}
			return "", err
		}
	}
	defer func() {
		for _, name := range l.changed {
			err = errors.Join(err, l.load(context.WithoutCancel(ctx), name, asOwner(l.tree.With(l.tree[c.function].Text))))
		}
	}()
	files := l.files(c)
	if c.Kind == "lock" { // a missing lock shows only with two sessions
		if verdict, err = l.goTests(ctx, c); verdict != "" || err != nil {
			return verdict, err
		}
	}
	file, tried, err := l.firstRed(ctx, c, files)
	err = errors.Join(err, l.calls.save())
	if file != "" {
		return fmt.Sprintf("%s (%d of %d)", file, tried, len(files)), err
	}
	if c.Kind == "lock" || err != nil {
		return "", err
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

// goTests returns the Go test that noticed the mutation.
func (l *laboratory) goTests(ctx context.Context, c candidate) (verdict string, err error) {
	if err := l.compile(ctx); err != nil {
		return "", err
	}
	file := filepath.Join(l.work, "mutation.sql")
	if err := os.WriteFile(file, []byte(c.sql), 0o600); err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, l.dropTemplates(context.WithoutCancel(ctx))) }()
	for _, test := range l.tests {
		failed, err := l.goTest(ctx, test, test.run, "PGTASKER_TEST_MUTATION="+file)
		if failed == "" || err != nil {
			if err != nil {
				return "", err
			}
			continue
		}
		control := "^" + failed + "$"
		if failed == unnamed {
			control = test.run
		}
		again, err := l.goTest(ctx, test, control)
		if again == "" || err != nil {
			return filepath.Base(test.folder) + " " + failed, err
		}
		_, _ = fmt.Fprintln(os.Stderr, "mutate: red without a change, so it says nothing:", failed)
	}
	return "", ctx.Err()
}

// failure finds a test that failed or that still ran when the time was up. A change of a lock clause may make a test wait for ever.
var failure = regexp.MustCompile(`(?m)^--- FAIL: (\w+)|^\t?running tests:\n\t*(\w+)`)

// goTest returns the first test that fails, nothing if all pass.
func (l *laboratory) goTest(ctx context.Context, test goTest, run string, env ...string) (failed string, err error) {
	within, cancel := context.WithTimeout(ctx, 6*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(within, test.binary, "-test.timeout", "5m", "-test.failfast", "-test.run", run)
	cmd.Dir = test.folder
	cmd.Env = append(append(os.Environ(), "PGTASKER_TEST_DATABASE_URL="+l.session.URL("postgres")), env...)
	out, err := cmd.CombinedOutput()
	if err == nil || ctx.Err() != nil {
		return "", ctx.Err()
	}
	return failedTest(out), nil
}

// unnamed stands for a failure without the name of a test, such as a crash.
const unnamed = "?"

// failedTest names the test that failed.
func failedTest(out []byte) string {
	if found := failure.FindSubmatch(out); found != nil {
		return string(found[1]) + string(found[2])
	}
	return unnamed
}

// dropTemplates drops the template databases of the Go tests, except the template without a mutation.
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
