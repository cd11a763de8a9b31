package main

import (
	"context"
	"errors"
	"os"

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
	return runChild(cmd)
}
