package main

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	lib "github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
)

// tx is River's type of a transaction.
type tx = pgx.Tx

// river is River, at the settings of its own benchmark: 2,000 goroutines, fetches every 2 ms.
type river struct{ *bed }

func (r *river) name() string { return "river" }

type noopArgs struct {
	Left int `json:"left"` // the number of jobs of the chain after this job
}

func (noopArgs) Kind() string { return "noop" }

type noopWorker struct {
	lib.WorkerDefaults[noopArgs]
	done func()
}

func (w *noopWorker) Work(ctx context.Context, job *lib.Job[noopArgs]) error {
	if job.Args.Left > 0 {
		_, err := lib.ClientFromContext[tx](ctx).Insert(ctx, noopArgs{Left: job.Args.Left - 1}, nil)
		return err
	}
	w.done()
	return nil
}

func (r *river) prepare(ctx context.Context) error {
	migrator, err := rivermigrate.New(riverpgxv5.New(r.admin), &rivermigrate.Config{Logger: quiet})
	if err != nil {
		return err
	}
	_, err = migrator.Migrate(ctx, rivermigrate.DirectionUp, nil)
	return err
}

// with calls work with a client that has not started yet.
func (r *river) with(ctx context.Context, done func(), work func(pool *pgxpool.Pool, client *lib.Client[tx]) error) error {
	pool, err := r.pool(ctx, workerConns)
	if err != nil {
		return err
	}
	defer pool.Close()
	workers := lib.NewWorkers()
	lib.AddWorker(workers, &noopWorker{done: done})
	client, err := lib.NewClient(riverpgxv5.New(pool), &lib.Config{
		Logger: quiet, Workers: workers,
		FetchCooldown: 2 * time.Millisecond, FetchPollInterval: 20 * time.Millisecond,
		Queues: map[string]lib.QueueConfig{lib.QueueDefault: {MaxWorkers: 2000}},
	})
	if err != nil {
		return err
	}
	return work(pool, client)
}

func (r *river) drainJobs(ctx context.Context, n int) (measured cost, err error) {
	var done atomic.Int64
	all := make(chan struct{})
	finished := func() {
		if done.Add(1) == int64(n) {
			close(all)
		}
	}
	err = r.with(ctx, finished, func(pool *pgxpool.Pool, client *lib.Client[tx]) (err error) {
		const batch = 1000
		for left := n; left > 0; left -= batch {
			params := make([]lib.InsertManyParams, min(left, batch))
			for i := range params {
				params[i] = lib.InsertManyParams{Args: noopArgs{}}
			}
			if _, err := client.InsertManyFast(ctx, params); err != nil {
				return err
			}
		}
		if _, err := pool.Exec(ctx, "vacuum analyze"); err != nil {
			return err
		}
		measured, err = r.measure(ctx, n, func() (time.Duration, error) {
			start := time.Now()
			if err := client.Start(ctx); err != nil {
				return 0, err
			}
			<-all
			err := client.Stop(ctx) // until the last completion is recorded
			return time.Since(start), err
		})
		return err
	})
	return measured, err
}

// drainDiamonds: River has no graphs without its paid edition.
func (r *river) drainDiamonds(context.Context, int) (cost, error) { return cost{}, nil }

// latencies: a task is done when River's subscription reports that the last job is completed. River's completer
// reports up to four times a second if there is little work.
func (r *river) latencies(ctx context.Context, steps, n int) (measured delays, err error) {
	err = r.with(ctx, func() {}, func(_ *pgxpool.Pool, client *lib.Client[tx]) error {
		events, cancel := client.Subscribe(lib.EventKindJobCompleted)
		defer cancel()
		if err := client.Start(ctx); err != nil {
			return err
		}
		if err := r.eachAlone(n, &measured, func() error {
			if _, err := client.Insert(ctx, noopArgs{Left: steps - 1}, nil); err != nil {
				return err
			}
			for range steps {
				<-events
			}
			return nil
		}); err != nil {
			return err
		}
		return client.Stop(ctx)
	})
	return measured, err
}

func (r *river) idle(ctx context.Context, watch func() error) error {
	return r.with(ctx, func() {}, func(_ *pgxpool.Pool, client *lib.Client[tx]) error {
		if err := client.Start(ctx); err != nil {
			return err
		}
		if err := watch(); err != nil {
			return err
		}
		return client.Stop(ctx)
	})
}
