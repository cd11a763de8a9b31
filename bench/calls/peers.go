package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/bench/internal/lab"
)

// openPeers prepares the libraries besides River that are installed: pgmq if the server has the real extension, and
// graphile-worker if PGTASKER_GRAPHILE names its program. tools/peers.sh installs both.
func openPeers(ctx context.Context, server *lab.Server) (peers []*creator, err error) {
	for _, open := range []func(context.Context, *lab.Server) (*creator, error){openPgmq, openGraphile} {
		c, err := open(ctx, server)
		if err != nil {
			return nil, err
		}
		if c != nil {
			peers = append(peers, c)
		}
	}
	return peers, nil
}

// openPgmq sends messages by pgmq. It returns nil if the server does not have the extension.
func openPgmq(ctx context.Context, server *lab.Server) (*creator, error) {
	pool, err := server.NewEmpty(ctx)
	if err != nil {
		return nil, err
	}
	var version *string
	if err := pool.QueryRow(ctx, "select max(e.default_version) from pg_available_extensions as e where e.name = 'pgmq'").Scan(&version); err != nil {
		return nil, err
	}
	if version == nil {
		fmt.Fprintln(os.Stderr, "no pgmq: the server does not have the extension")
		return nil, nil
	}
	for _, sql := range []string{"create extension pgmq", "select pgmq.create('jobs')"} {
		if _, err := pool.Exec(ctx, sql); err != nil {
			return nil, fmt.Errorf("pgmq: %w", err)
		}
	}
	return &creator{
		name: "pgmq " + *version + ", send", pool: pool,
		make: statement("select pgmq.send('jobs', '{}')"),
		after: func(ctx context.Context) error {
			_, err := pool.Exec(ctx, "select pgmq.purge_queue('jobs')")
			return err
		},
	}, nil
}

// openGraphile adds jobs of graphile-worker. It returns nil if the program is not installed.
func openGraphile(ctx context.Context, server *lab.Server) (*creator, error) {
	program := os.Getenv("PGTASKER_GRAPHILE")
	if program == "" {
		fmt.Fprintln(os.Stderr, "no graphile-worker: PGTASKER_GRAPHILE does not name its program")
		return nil, nil
	}
	pool, err := server.NewEmpty(ctx)
	if err != nil {
		return nil, err
	}
	// The program does not print its version.
	text, err := os.ReadFile(filepath.Join(filepath.Dir(program), "..", "graphile-worker", "package.json"))
	if err != nil {
		return nil, err
	}
	var about struct{ Version string }
	if err := json.Unmarshal(text, &about); err != nil {
		return nil, err
	}
	config := pool.Config().ConnConfig
	install := exec.CommandContext(ctx, program, "--schema-only")
	// The program's driver cannot read a socket from a URL.
	install.Env = append(os.Environ(), "PGHOST="+config.Host, fmt.Sprint("PGPORT=", config.Port), "PGUSER="+config.User, "PGDATABASE="+config.Database)
	if output, err := install.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("graphile-worker: %w\n%s", err, output)
	}
	return &creator{
		name: "graphile-worker " + about.Version + ", add_job", pool: pool,
		make: statement("select from graphile_worker.add_job('no_op', '{}'::json)"),
		after: func(ctx context.Context) error {
			_, err := pool.Exec(ctx, "delete from graphile_worker._private_jobs")
			return err
		},
	}, nil
}

func statement(sql string) func(ctx context.Context, conn *pgxpool.Conn) error {
	return func(ctx context.Context, conn *pgxpool.Conn) error {
		_, err := conn.Exec(ctx, sql)
		return err
	}
}
