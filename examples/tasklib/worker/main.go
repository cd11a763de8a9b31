// Command worker sends messages until it is interrupted. Then it finishes the messages that it has begun.
//
//	DATABASE_URL=postgres://… go run ./worker
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/examples/tasklib/emails"
	"github.com/pgtasker/pgtasker/tasklib"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // A second signal ends the process at once.
	if err := work(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "worker:", err)
		os.Exit(1)
	}
}

func work(ctx context.Context) error {
	pool, err := pgxpool.New(ctx, os.Getenv("DATABASE_URL"))
	if err != nil {
		return err
	}
	defer pool.Close()
	tasks, err := emails.Register(pool)
	if err != nil {
		return err
	}
	return tasks.Client.NewWorker(tasklib.WorkerConfig{
		Concurrency: 4,
		StopTimeout: 25 * time.Second, // less than the Deployment's terminationGracePeriodSeconds
	}).Run(ctx)
}
