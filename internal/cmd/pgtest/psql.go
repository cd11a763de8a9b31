package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"github.com/pgtasker/pgtasker/internal/pgtest/pgdatabase"
)

// psql opens psql on a migrated database that is dropped afterwards.
func psql(ctx context.Context, session *pgdatabase.Session, args []string) (code int, err error) {
	program, err := findPsql(session)
	if err != nil {
		return 0, err
	}
	name, err := session.CreateMigrated(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, session.Drop(context.WithoutCancel(ctx), name)) }()

	cmd := command(ctx, program, args...)
	cmd.Env, err = clientEnv(session.URL(name))
	if err != nil {
		return 0, err
	}
	fmt.Fprintln(os.Stderr, "pgtest:", session.URL(name))
	// Ctrl-C cancels a query. Psql gets it from the terminal.
	return runChild(cmd, syscall.SIGINT, syscall.SIGQUIT)
}

// findPsql prefers the server's own psql, which knows the server's version.
func findPsql(session *pgdatabase.Session) (string, error) {
	if session.Server.Bin != "" {
		if program, err := exec.LookPath(filepath.Join(session.Server.Bin, "psql")); err == nil {
			return program, nil
		}
	}
	program, err := exec.LookPath("psql")
	if err != nil {
		return "", errors.New("psql is missing: apt-get install postgresql-client")
	}
	return program, nil
}
