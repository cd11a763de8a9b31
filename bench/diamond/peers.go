package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/dbos-inc/dbos-transact-golang/dbos"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
	"golang.org/x/sync/errgroup"

	"github.com/pgtasker/pgtasker/bench/internal/lab"
)

var silent = slog.New(slog.NewTextHandler(io.Discard, nil))

// comparePeers measures the others on the same server, each as its own documents tune it.
func comparePeers(ctx context.Context, pool *pgxpool.Pool) error {
	jobs, err := riverJobs(ctx, pool)
	if err != nil {
		return fmt.Errorf("river: %w", err)
	}
	workflows, err := dbosWorkflows(ctx, pool)
	if err != nil {
		return fmt.Errorf("dbos: %w", err)
	}
	lab.Table([][]string{
		{"peer", "what", "per second"},
		{"River v0.51.1", "jobs inserted by COPY and worked, no history", fmt.Sprintf("%.0f", jobs)},
		{"DBOS Transact v1.8.0", "workflows of seven steps in a row, 16 at once", fmt.Sprintf("%.0f", workflows)},
	})
	return nil
}

type noArgs struct{}

func (noArgs) Kind() string { return "no_op" }

type noWorker struct {
	river.WorkerDefaults[noArgs]
	done *atomic.Int64
}

func (w *noWorker) Work(context.Context, *river.Job[noArgs]) error {
	w.done.Add(1)
	return nil
}

// riverJobs returns how many no-op jobs per second one River client works off: those inserted before it is
// started.
func riverJobs(ctx context.Context, pool *pgxpool.Pool) (float64, error) {
	driver := riverpgxv5.New(pool)
	migrator, err := rivermigrate.New(driver, nil)
	if err != nil {
		return 0, err
	}
	if _, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return 0, err
	}
	var done atomic.Int64
	workers := river.NewWorkers()
	river.AddWorker(workers, &noWorker{done: &done})
	client, err := river.NewClient[pgx.Tx](driver, &river.Config{
		Logger:            silent,
		Queues:            map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: 2000}},
		Workers:           workers,
		JobTimeout:        -1,
		FetchCooldown:     2 * time.Millisecond,
		FetchPollInterval: 20 * time.Millisecond,
	})
	if err != nil {
		return 0, err
	}
	const jobs = 50_000
	start := time.Now()
	for range jobs / 5000 {
		params := make([]river.InsertManyParams, 5000)
		for i := range params {
			params[i] = river.InsertManyParams{Args: noArgs{}}
		}
		if _, err := client.InsertManyFast(ctx, params); err != nil {
			return 0, err
		}
	}
	if err := client.Start(ctx); err != nil {
		return 0, err
	}
	for left := 1; left > 0; {
		if err := pool.QueryRow(ctx, "select count(*) from river_job where state <> 'completed'").Scan(&left); err != nil {
			return 0, err
		}
		time.Sleep(20 * time.Millisecond)
	}
	return jobs / time.Since(start).Seconds(), client.Stop(ctx)
}

// dbosWorkflows returns how many workflows of seven steps per second one DBOS process runs, sixteen at once.
func dbosWorkflows(ctx context.Context, pool *pgxpool.Pool) (float64, error) {
	d, err := dbos.NewContext(ctx, dbos.Config{AppName: "bench", SystemDBPool: pool, Logger: silent})
	if err != nil {
		return 0, err
	}
	workflow := func(ctx dbos.Context, order int) (int, error) {
		for range 7 {
			if _, err := dbos.RunAsStep(ctx, func(context.Context) (map[string]bool, error) {
				return map[string]bool{"ok": true}, nil
			}); err != nil {
				return 0, err
			}
		}
		return order, nil
	}
	dbos.RegisterWorkflow(d, workflow)
	if err := dbos.Launch(d); err != nil {
		return 0, err
	}
	defer dbos.Shutdown(d, 10*time.Second)

	var done atomic.Int64
	start := time.Now()
	var group errgroup.Group
	for range 16 {
		group.Go(func() error {
			for time.Since(start) < time.Duration(*seconds)*time.Second {
				handle, err := dbos.RunWorkflow(d, workflow, 4711)
				if err != nil {
					return err
				}
				if _, err := handle.GetResult(); err != nil {
					return err
				}
				done.Add(1)
			}
			return nil
		})
	}
	err = group.Wait()
	return float64(done.Load()) / time.Since(start).Seconds(), err
}
