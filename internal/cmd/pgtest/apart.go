package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"syscall"

	"github.com/jackc/pgx/v5"
)

// Files of pgTAP that count buffers have a database of their own: rolled-back rows of others stay in the tables and
// indexes that they share, and would be counted. pg_prove runs this program instead of psql, with these variables.
const (
	envPsql   = "PGTASKER_PGTAP_PSQL"   // the real psql
	envServer = "PGTASKER_PGTAP_SERVER" // for statements that create and drop databases
	envFresh  = "PGTASKER_PGTAP_FRESH"  // a database without sessions, to be copied
)

// counting is what a file says that counts buffers.
var counting = regexp.MustCompile(`\bbuffers\b`)

// standIn runs psql for a file of pgTAP.
func standIn(ctx context.Context, program string, args []string) (code int, err error) {
	text, err := os.ReadFile(fileOf(args))
	if err != nil || !counting.Match(text) {
		return 127, syscall.Exec(program, append([]string{program}, args...), os.Environ())
	}

	admin, err := pgx.Connect(ctx, os.Getenv(envServer))
	if err != nil {
		return 1, err
	}
	ctx = context.WithoutCancel(ctx)
	defer func() { err = errors.Join(err, admin.Close(ctx)) }()
	fresh := os.Getenv(envFresh)
	name := fmt.Sprintf("%s_%d", fresh, os.Getpid())
	if _, err := admin.Exec(ctx, "create database "+pgx.Identifier{name}.Sanitize()+" template "+pgx.Identifier{fresh}.Sanitize()); err != nil {
		return 1, err
	}
	defer func() {
		_, dropErr := admin.Exec(ctx, "drop database "+pgx.Identifier{name}.Sanitize()+" with (force)")
		err = errors.Join(err, dropErr)
	}()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = append(os.Environ(), "PGDATABASE="+name)
	return runChild(cmd)
}

// fileOf is the file that psql is to run.
func fileOf(args []string) string {
	at := slices.Index(args, "--file")
	if at < 0 || at+1 == len(args) {
		return ""
	}
	return args[at+1]
}
