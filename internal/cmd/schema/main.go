// Command schema keeps db/migrations in step with db/schema. It is run from the repository's root:
//
//	go run ./internal/cmd/schema compose          renews the initial migrations, before the first release
//	go run ./internal/cmd/schema compose NAME     makes or renews the migration NAME, after it
//	go run ./internal/cmd/schema check            prints the disagreements, and fails if there are any
//	go run ./internal/cmd/schema verify           proves with a server that the migrations work
//
// compose first lists new files in db/schema/schema.sql, and removes files that are gone.
//
// verify proves that the migrations build the same database as db/schema/schema.sql, that each can be undone, and
// that dbmate and package migrate can take turns. Like the tests, it uses the server of PGTASKER_TEST_DATABASE_URL,
// or starts a private server.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/pgtasker/pgtasker/internal/pgtest/pgdatabase"
	"github.com/pgtasker/pgtasker/internal/schema"
	"github.com/pgtasker/pgtasker/internal/schema/verify"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, time.Now()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

var errUsage = errors.New("usage: schema [-C root] compose [NAME] | check | verify")

// run executes a command line. now is the version of a new migration.
func run(ctx context.Context, args []string, out io.Writer, now time.Time) error {
	flags := flag.NewFlagSet("schema", flag.ContinueOnError)
	flags.SetOutput(out)
	root := flags.String("C", ".", "the repository's root")
	if err := flags.Parse(args); err != nil {
		return err
	}
	command, name := flags.Arg(0), flags.Arg(1)
	switch {
	case command == "compose" && flags.NArg() <= 2:
	case command == "check" && flags.NArg() == 1:
	case command == "verify" && flags.NArg() == 1:
		return prove(ctx, *root, out)
	default:
		return errUsage
	}

	if command == "compose" {
		listed, err := schema.ListFiles(os.DirFS(*root))
		if err != nil {
			return err
		}
		if err := apply(*root, listed, out); err != nil {
			return err
		}
	}
	tree, err := schema.Load(os.DirFS(*root))
	if err != nil {
		return err
	}
	releases, err := schema.Releases(ctx, *root)
	if err != nil {
		return err
	}
	if command == "check" {
		return check(tree, releases, out)
	}
	var changes []schema.Change
	if name == "" {
		changes, err = schema.ComposeInitial(tree, releases)
	} else {
		changes, err = schema.ComposeNext(tree, releases, name, now)
	}
	if err != nil {
		return err
	}
	if len(changes) == 0 {
		_, err := fmt.Fprintln(out, "the migrations are current")
		return err
	}
	return apply(*root, changes, out)
}

// prove runs the proofs on the server that the environment names, or on a server of its own.
func prove(ctx context.Context, root string, out io.Writer) error {
	server, err := pgdatabase.Start(ctx, out)
	if err != nil {
		return err
	}
	verifier := verify.Verifier{Root: root, Databases: server, Log: out}
	return errors.Join(verifier.Verify(ctx), verifier.VerifyTurns(ctx), server.Stop())
}

func check(tree *schema.Tree, releases []schema.Release, out io.Writer) error {
	if findings := schema.Check(tree, releases); len(findings) > 0 {
		return schema.Findings(findings)
	}
	_, err := fmt.Fprintf(out, "%d schema files and %d migrations agree\n", len(tree.Files), len(tree.Migrations))
	return err
}

// apply carries out changes and names them.
func apply(root string, changes []schema.Change, out io.Writer) error {
	for _, change := range changes {
		path := filepath.Join(root, filepath.FromSlash(change.Path))
		done, act := "wrote", func() error { return write(path, change.Text) }
		if change.Text == "" {
			done, act = "removed", func() error { return os.Remove(path) }
		}
		if err := act(); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(out, done, change.Path); err != nil {
			return err
		}
	}
	return nil
}

func write(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644)
}
