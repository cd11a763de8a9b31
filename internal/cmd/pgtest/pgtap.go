package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/jackc/pgx/v5"

	"github.com/pgtasker/pgtasker/internal/pgtest/checkout"
	"github.com/pgtasker/pgtasker/internal/pgtest/pgdatabase"
)

// pgtap runs pgTAP files against migrated databases with the extension pgtap. There is a database for each of the files that
// run at the same time. The files roll back their changes, so files that run one after another share a database and a session.
// Files that count buffers have a copy of their own.
func pgtap(ctx context.Context, session *pgdatabase.Session, args []string) (code int, err error) {
	flags := flag.NewFlagSet("pgtap", flag.ContinueOnError)
	verbose := flags.Bool("v", false, "show every file and every test")
	jobs := flags.Int("j", 2, "run `N` files at once")
	if err := flags.Parse(args); err != nil {
		return 0, errUsage
	}
	root, err := checkout.Root()
	if err != nil {
		return 0, err
	}
	files, err := findTests(root, flags.Args())
	if err != nil {
		return 0, err
	}
	prove, err := exec.LookPath("pg_prove")
	if err != nil {
		return 0, errors.New("pg_prove is missing: apt-get install libtap-parser-sourcehandler-pgtap-perl, " +
			"dnf install perl-TAP-Parser-SourceHandler-pgTAP, or cpan TAP::Parser::SourceHandler::pgTAP")
	}
	client, err := findPsql(session)
	if err != nil {
		return 0, err
	}

	fresh, err := session.CreateMigrated(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, session.Drop(context.WithoutCancel(ctx), fresh)) }()
	if err := createPgtap(ctx, session, fresh); err != nil {
		return 0, err
	}
	if err := session.Seal(ctx, fresh); err != nil {
		return 0, err
	}
	names := make([]string, max(1, min(*jobs, len(files)))) // the databases of files that run at the same time
	for i := range names {
		if names[i], err = session.Copy(ctx, fresh); err != nil {
			return 0, err
		}
		defer func() { err = errors.Join(err, session.Drop(context.WithoutCancel(ctx), names[i])) }()
	}
	env, err := clientEnv(session.URL(fresh))
	if err != nil {
		return 0, err
	}
	env = slices.Clip(env) // Later code, and each session, appends to it.
	dir, err := os.MkdirTemp("", "pgtap-")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	socket := filepath.Join(dir, "sessions")
	shared, err := startSessions(ctx, socket, client, root, env, names)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, shared.close()) }()
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}

	options := []string{"--psql-bin", self, "--jobs", strconv.Itoa(*jobs), "--norc", "--failures", "--comments"}
	if *verbose {
		options = append(options, "--verbose")
	}
	cmd := command(ctx, prove, append(options, files...)...)
	cmd.Dir = root
	cmd.Env = append(env, envPsql+"="+client, envServer+"="+session.Server.URL, envFresh+"="+fresh, envSocket+"="+socket)
	if *verbose {
		return runChild(cmd)
	}
	shown := newProgress(os.Stdout, len(files))
	defer func() { err = errors.Join(err, shown.close()) }()
	cmd.Stdout = shown
	return runChild(cmd)
}

func createPgtap(ctx context.Context, session *pgdatabase.Session, name string) (err error) {
	conn, err := pgx.Connect(ctx, session.URL(name))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }()

	var major int
	var available bool
	err = conn.QueryRow(ctx, `
		select current_setting('server_version_num')::integer / 10000,
		       exists (select from pg_available_extensions where name = 'pgtap')`).Scan(&major, &available)
	if err != nil {
		return err
	}
	if !available {
		return fmt.Errorf("pgTAP is missing from the server (%s): apt-get install postgresql-%d-pgtap, "+
			"or export PGTASKER_TEST_PGBIN=$(tools/servers.sh %d)", session.Server.Origin, major, major)
	}
	if _, err := conn.Exec(ctx, `create extension pgtap schema public`); err != nil {
		return fmt.Errorf("create extension pgtap: %w", err)
	}
	return nil
}
