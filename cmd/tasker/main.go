// Command tasker is pgtasker's command-line tool: it migrates a database, registers templates, creates tasks and shows
// their progress. "tasker help" describes the commands, and docs/cli.md has the same texts as a page.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // A second signal ends the process at once.
	code := cli.Main(ctx, cli.Process{
		Args: os.Args[1:], In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Getenv: os.Getenv,
	})
	stop()
	os.Exit(code)
}
