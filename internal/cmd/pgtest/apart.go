package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5"
)

// Files of pgTAP that run at once have a database each, or those that lock tables would wait for each other. Files that count
// buffers have a fresh one: rolled-back rows of others stay in tables and indexes, and would be counted. pg_prove runs
// this program instead of psql, with these variables.
const (
	envPsql   = "PGTASKER_PGTAP_PSQL"   // the real psql
	envServer = "PGTASKER_PGTAP_SERVER" // for statements that create and drop databases
	envFresh  = "PGTASKER_PGTAP_FRESH"  // a database without sessions, to be copied
	envNames  = "PGTASKER_PGTAP_NAMES"  // the databases of all other files, each for one file at a time
	envLocks  = "PGTASKER_PGTAP_LOCKS"  // a directory with a locked file for each of these that is in use
)

// counting is what a file says that counts buffers.
var counting = regexp.MustCompile(`\bbuffers\b`)

// standIn runs psql for a file of pgTAP, in a database that no other file uses meanwhile.
func standIn(ctx context.Context, program string, args []string) (code int, err error) {
	take := freeDatabase
	if text, err := os.ReadFile(fileOf(args)); err == nil && counting.Match(text) {
		take = copyDatabase
	}
	name, giveBack, err := take(ctx)
	if err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, giveBack()) }()
	cmd := command(ctx, program, args...)
	cmd.Env = append(os.Environ(), "PGDATABASE="+name) // the last of two values counts
	return runChild(cmd)
}

// copyDatabase makes a database for one file.
func copyDatabase(ctx context.Context) (name string, drop func() error, err error) {
	ctx = context.WithoutCancel(ctx)
	admin, err := pgx.Connect(ctx, os.Getenv(envServer))
	if err != nil {
		return "", nil, err
	}
	fresh := os.Getenv(envFresh)
	name = fmt.Sprintf("%s_%d", fresh, os.Getpid())
	if _, err := admin.Exec(ctx, "create database "+pgx.Identifier{name}.Sanitize()+" template "+pgx.Identifier{fresh}.Sanitize()); err != nil {
		return "", nil, errors.Join(err, admin.Close(ctx))
	}
	return name, func() error {
		_, err := admin.Exec(ctx, "drop database "+pgx.Identifier{name}.Sanitize()+" with (force)")
		return errors.Join(err, admin.Close(ctx))
	}, nil
}

// freeDatabase locks a database that no other file uses. There is one for each file that runs at once, and pg_prove waits
// for a file's process before it starts the next file.
func freeDatabase(context.Context) (name string, unlock func() error, err error) {
	for name := range strings.SplitSeq(os.Getenv(envNames), ",") {
		file, err := os.OpenFile(filepath.Join(os.Getenv(envLocks), name), os.O_CREATE|os.O_RDWR, 0o600)
		if err != nil {
			return "", nil, err
		}
		err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return name, file.Close, nil
		}
		if closeErr := file.Close(); closeErr != nil || !errors.Is(err, syscall.EWOULDBLOCK) {
			return "", nil, errors.Join(err, closeErr)
		}
	}
	return "", nil, errors.New("every database for pgTAP is in use")
}

// fileOf is the file that psql is to run.
func fileOf(args []string) string {
	at := slices.Index(args, "--file")
	if at < 0 || at+1 == len(args) {
		return ""
	}
	return args[at+1]
}
