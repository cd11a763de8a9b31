package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// Files of pgTAP that count buffers have a database of their own: rolled-back rows of others stay in the tables and
// indexes that they share, and would be counted. pg_prove runs this program instead of psql, with these variables.
const (
	envPsql   = "PGTASKER_PGTAP_PSQL"   // the real psql
	envServer = "PGTASKER_PGTAP_SERVER" // for statements that create and drop databases
	envFresh  = "PGTASKER_PGTAP_FRESH"  // a database without sessions, to be copied
	envNames  = "PGTASKER_PGTAP_NAMES"  // the databases of all other files, each for one file at a time
	envLocks  = "PGTASKER_PGTAP_LOCKS"  // a directory with a locked file for each of these that is in use
)

// counting is what a file says that counts buffers.
var counting = regexp.MustCompile(`\bbuffers\b`)

// standIn runs psql for a file of pgTAP.
func standIn(ctx context.Context, program string, args []string) (code int, err error) {
	text, err := os.ReadFile(fileOf(args))
	if err != nil || !counting.Match(text) {
		name, err := freeDatabase()
		if err != nil {
			return 1, err
		}
		return 127, syscall.Exec(program, append([]string{program}, args...), append(os.Environ(), "PGDATABASE="+name))
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

// freeDatabase returns a database that no other file uses until this process, or the program that it becomes, has ended.
func freeDatabase() (string, error) {
	for {
		for name := range strings.SplitSeq(os.Getenv(envNames), ",") {
			file, err := syscall.Open(filepath.Join(os.Getenv(envLocks), name), syscall.O_CREAT|syscall.O_RDWR, 0o600)
			if err != nil {
				return "", err
			}
			// The lock is the open file's, which psql inherits.
			err = syscall.Flock(file, syscall.LOCK_EX|syscall.LOCK_NB)
			if err == nil {
				return name, nil
			}
			if closeErr := syscall.Close(file); closeErr != nil || !errors.Is(err, syscall.EWOULDBLOCK) {
				return "", errors.Join(err, closeErr)
			}
		}
		time.Sleep(time.Millisecond) // pg_prove may start a file before the process of the one before is gone
	}
}

// fileOf is the file that psql is to run.
func fileOf(args []string) string {
	at := slices.Index(args, "--file")
	if at < 0 || at+1 == len(args) {
		return ""
	}
	return args[at+1]
}
