package main

import (
	"context"
	"os"

	"github.com/pgtasker/pgtasker/internal/pgtest/pgdatabase"
	"github.com/pgtasker/pgtasker/internal/pgtest/pgserver"
)

// run runs a command with the server's URL in its environment.
func run(ctx context.Context, session *pgdatabase.Session, args []string) (int, error) {
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		return 0, errUsage
	}
	cmd := command(ctx, args[0], args[1:]...)
	cmd.Env = append(os.Environ(), pgserver.EnvDatabaseURL+"="+session.Server.URL)
	return runChild(cmd)
}
