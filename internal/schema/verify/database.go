package verify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// database is one of the databases that a proof uses.
type database struct {
	url  string
	pool *pgxpool.Pool
}

// with calls proof with new empty databases, and drops them.
func (v Verifier) with(ctx context.Context, count int, proof func([]*database) error) (err error) {
	var databases []*database
	for range count {
		var name string
		if name, err = v.Databases.CreateEmpty(ctx); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, v.Databases.Drop(context.WithoutCancel(ctx), name)) }()
		d := &database{url: v.Databases.URL(name)}
		if d.pool, err = pgxpool.New(ctx, d.url); err != nil {
			return err
		}
		defer d.pool.Close()
		databases = append(databases, d)
	}
	return proof(databases)
}

// execute runs a part of a migration in the way of package migrate.
func (d *database) execute(ctx context.Context, text string) error {
	return pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, text)
		return err
	})
}

// psql runs a text with psql, without package migrate.
func (d *database) psql(ctx context.Context, text string) error {
	return run(ctx, "", text, "psql", d.psqlArguments("-f", "-")...)
}

// psqlFile runs a file, whose path is relative to the directory.
func (d *database) psqlFile(ctx context.Context, directory, file string) error {
	return run(ctx, directory, "", "psql", d.psqlArguments("-f", file)...)
}

func (d *database) psqlArguments(more ...string) []string {
	return append([]string{"-X", "-q", "-1", "-v", "ON_ERROR_STOP=1", "-d", d.url}, more...)
}

// run runs a program. If the program fails, the error has its output.
func run(ctx context.Context, directory, input, program string, arguments ...string) error {
	_, err := output(ctx, directory, input, program, arguments...)
	return err
}

func output(ctx context.Context, directory, input, program string, arguments ...string) (string, error) {
	var stdout, stderr bytes.Buffer
	command := exec.CommandContext(ctx, program, arguments...)
	command.Dir, command.Stdin, command.Stdout, command.Stderr = directory, strings.NewReader(input), &stdout, &stderr
	if err := command.Run(); err != nil {
		return "", fmt.Errorf("%s: %w: %s", program, err, strings.TrimSpace(stderr.String()))
	}
	return stdout.String(), nil
}
