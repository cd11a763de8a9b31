package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"regexp"
	"slices"

	"github.com/jackc/pgx/v5"
)

// pgTAP files that run at the same time have a database each, because files that lock tables would otherwise wait for each
// other. Files that run one after another share a session (see sessions). A file that counts buffers has a fresh database and a
// session of its own, because rolled-back rows of other files stay in tables and indexes and would be counted. pg_prove runs
// this program instead of psql, with these variables.
const (
	envPsql   = "PGTASKER_PGTAP_PSQL"   // the real psql
	envServer = "PGTASKER_PGTAP_SERVER" // for statements that create and drop databases
	envFresh  = "PGTASKER_PGTAP_FRESH"  // a database without sessions, which is copied
	envSocket = "PGTASKER_PGTAP_SOCKET" // the socket at which sessions take files
)

// counting matches a file that counts buffers.
var counting = regexp.MustCompile(`\bbuffers\b`)

// standIn runs a file for pg_prove, in place of psql.
func standIn(ctx context.Context, program string, args []string) (code int, err error) {
	args, file := withoutFile(args)
	if text, err := os.ReadFile(file); err != nil || !counting.Match(text) {
		return ask(ctx, request{Args: args, File: file})
	}
	name, drop, err := copyDatabase(ctx)
	if err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, drop()) }()
	cmd := command(ctx, program, append(args, "--file", file)...)
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

// A stand-in for psql sends a request, and gets an answer.
type (
	request struct {
		Args []string // the arguments of psql without the file
		File string
	}
	answer struct {
		Out  string
		Code int
		Err  string // if psql could not run
	}
)

// ask has a session run a file.
func ask(ctx context.Context, what request) (code int, err error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "unix", os.Getenv(envSocket))
	if err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	if err := json.NewEncoder(conn).Encode(what); err != nil {
		return 1, err
	}
	var got answer
	if err := json.NewDecoder(conn).Decode(&got); err != nil {
		return 1, fmt.Errorf("the session that ran the file is gone: %w", err)
	}
	if got.Err != "" {
		return 1, errors.New(got.Err)
	}
	_, err = io.WriteString(os.Stdout, got.Out)
	return got.Code, err
}

// withoutFile separates psql's file argument from the other arguments.
func withoutFile(args []string) (others []string, file string) {
	at := slices.Index(args, "--file")
	if at < 0 || at+1 == len(args) {
		return args, ""
	}
	return slices.Concat(args[:at], args[at+2:]), args[at+1]
}
