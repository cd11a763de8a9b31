// Command pgtest runs commands against the test server that package pgtest would use. It starts and stops a server if
// there is none.
//
//	pgtest run -- COMMAND ARGUMENTS…        one server for all tests of a command
//	pgtest suite [-quick] [-go] [MODULES…]  pgTAP and the Go tests of all modules, summed up
//	pgtest pgtap [-v] [-j N] [PATHS…]       the pgTAP tests below pgtap/, or PATHS
//	pgtest psql [ARGUMENTS OF PSQL…]        psql on a migrated scratch database
//	pgtest scratch -- COMMAND ARGUMENTS…    a command on a scratch database, whose address is in DATABASE_URL
//
// The server is chosen by PGTASKER_TEST_DATABASE_URL, PGTASKER_TEST_SERVER and
// PGTASKER_TEST_PGBIN. See package pgserver.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/pgtasker/pgtasker/internal/pgtest/pgdatabase"
)

const usage = `usage:
  pgtest run -- COMMAND ARGUMENTS…     run a command with PGTASKER_TEST_DATABASE_URL set
  pgtest suite [-quick] [MODULES…]     run pgTAP and all Go tests, and sum up
  pgtest pgtap [-v] [-j N] [PATHS…]    run pgTAP tests: files, or folders (default: pgtap)
  pgtest psql [ARGUMENTS OF PSQL…]     open psql on a migrated scratch database
  pgtest scratch -- COMMAND ARGUMENTS… run a command with DATABASE_URL set to one`

// errUsage makes the program print its usage.
var errUsage = errors.New("usage")

// action returns the exit code for the process.
type action func(ctx context.Context, session *pgdatabase.Session, args []string) (int, error)

var actions = map[string]action{
	"run":     run,
	"suite":   suite,
	"pgtap":   pgtap,
	"psql":    psql,
	"scratch": scratch,
}

func main() {
	code, err := execute(os.Args[1:])
	switch {
	case errors.Is(err, errUsage):
		fmt.Fprintln(os.Stderr, usage)
		code = 2
	case err != nil:
		fmt.Fprintln(os.Stderr, "pgtest:", err)
		code = max(code, 1)
	}
	os.Exit(code)
}

func execute(args []string) (code int, err error) {
	if program := os.Getenv(envPsql); program != "" {
		return standIn(context.Background(), program, args)
	}
	if len(args) == 0 || actions[args[0]] == nil {
		return 0, errUsage
	}
	// A signal cancels any work that has no child process to signal.
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer cancel()

	session, err := pgdatabase.Start(ctx, os.Stderr)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, session.Stop()) }()
	return actions[args[0]](ctx, session, args[1:])
}
