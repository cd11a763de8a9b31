package main

import (
	"context"
	"errors"
	"os"
	"syscall"

	"github.com/pgtasker/pgtasker/internal/pgtest/pgdatabase"
)

// scratch runs a command on a migrated database that is dropped afterwards.
func scratch(ctx context.Context, session *pgdatabase.Session, args []string) (code int, err error) {
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		return 0, errUsage
	}
	name, err := session.CreateMigrated(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, session.Drop(context.WithoutCancel(ctx), name)) }()

	cmd := command(ctx, args[0], args[1:]...)
	cmd.Env = append(os.Environ(), "DATABASE_URL="+session.URL(name))
	if isTerminal(os.Stdin) {
		// Ctrl+C reaches all processes in the terminal. A second signal would keep the command from ending in order.
		return runChild(cmd, syscall.SIGINT, syscall.SIGQUIT)
	}
	return runChild(cmd)
}

// isTerminal tells by a file's mode whether the file is a terminal.
func isTerminal(file *os.File) bool {
	info, err := file.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	nothing, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, nothing)
}
