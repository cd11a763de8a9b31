package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/bench/internal/lab"
	"github.com/pgtasker/pgtasker/tasklib"
)

var limited = flag.Bool("limited", false, "measure tasklib alone: how close names with a limit come to it")

// runLimited measures names whose limits are far below the worker's concurrency.
func runLimited(ctx context.Context, pool *pgxpool.Pool) error {
	rows := [][]string{{"limit", "tasks", "tasks/s", "possible"}}
	for _, c := range []struct {
		name     string
		options  tasklib.Options
		run      time.Duration
		n        int
		possible float64
	}{
		{"5 at once, 20 ms each", tasklib.Options{ConcurrencyLimit: 5}, 20 * time.Millisecond, 2000, 250},
		{"200 per second", tasklib.Options{RateLimit: 200, RatePeriod: time.Second}, 0, 1200, 200},
		{"5 per 50 ms", tasklib.Options{RateLimit: 5, RatePeriod: 50 * time.Millisecond}, 0, 500, 100},
	} {
		rate, err := drainLimited(ctx, pool, c.options, c.run, c.n)
		if err != nil {
			return err
		}
		rows = append(rows, []string{c.name, fmt.Sprint(c.n), fmt.Sprintf("%.0f", rate), fmt.Sprintf("%.0f", c.possible)})
	}
	lab.Table(rows)
	return nil
}

// drainLimited returns the number of tasks per second that one worker runs.
func drainLimited(ctx context.Context, pool *pgxpool.Pool, options tasklib.Options, run time.Duration, n int) (float64, error) {
	if _, err := pool.Exec(ctx, "truncate tasklib.tasks, tasklib.task_runs, tasklib.task_limits, tasklib.registered_tasks cascade"); err != nil {
		return 0, err
	}
	client := tasklib.NewClient(pool, tasklib.Config{Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var ran atomic.Int64
	task := tasklib.MustRegister(client, "limited", func(ctx context.Context, _ email) (int, error) {
		defer func() {
			if ran.Add(1) == int64(n) {
				stop()
			}
		}()
		if run > 0 {
			time.Sleep(run)
		}
		return 1, nil
	}, options)
	if err := client.Sync(ctx); err != nil {
		return 0, err
	}
	if _, err := task.SubmitMany(ctx, pool, make([]email, n)); err != nil {
		return 0, err
	}
	began := time.Now()
	err := client.NewWorker(tasklib.WorkerConfig{Concurrency: 50}).Run(ctx)
	return float64(n) / time.Since(began).Seconds(), err
}
