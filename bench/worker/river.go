package main

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	lib "github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
)

// river is River, at the settings of its own benchmark: 2,000 goroutines, fetches every 2 ms.
type river struct {
	pool  *pgxpool.Pool
	ready bool
}

func (r *river) name() string { return "river" }

type noopArgs struct {
	Left int `json:"left"` // jobs of the chain that are still to come
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

func (r *river) client(ctx context.Context, done func()) (*lib.Client[tx], error) {
	driver := riverpgxv5.New(r.pool)
	if !r.ready {
		migrator, err := rivermigrate.New(driver, &rivermigrate.Config{Logger: quiet})
		if err != nil {
			return nil, err
		}
		if _, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
			return nil, err
		}
		r.ready = true
	}
	workers := lib.NewWorkers()
	lib.AddWorker(workers, &noopWorker{done: done})
	return lib.NewClient(driver, &lib.Config{
		Logger: quiet, Workers: workers,
		FetchCooldown: 2 * time.Millisecond, FetchPollInterval: 20 * time.Millisecond,
		Queues: map[string]lib.QueueConfig{lib.QueueDefault: {MaxWorkers: 2000}},
	})
}

func (r *river) drainJobs(ctx context.Context, n int) (time.Duration, error) {
	var done atomic.Int64
	all := make(chan struct{})
	client, err := r.client(ctx, func() {
		if done.Add(1) == int64(n) {
			close(all)
		}
	})
	if err != nil {
		return 0, err
	}
	const batch = 1000
	for left := n; left > 0; left -= batch {
		params := make([]lib.InsertManyParams, min(left, batch))
		for i := range params {
			params[i] = lib.InsertManyParams{Args: noopArgs{}}
		}
		if _, err := client.InsertManyFast(ctx, params); err != nil {
			return 0, err
		}
	}
	if _, err := r.pool.Exec(ctx, "vacuum analyze"); err != nil {
		return 0, err
	}
	start := time.Now()
	if err := client.Start(ctx); err != nil {
		return 0, err
	}
	<-all
	err = client.Stop(ctx) // until the last completion is recorded
	return time.Since(start), err
}

// drainDiamonds: River has no graphs without its paid edition.
func (r *river) drainDiamonds(context.Context, int) (time.Duration, error) { return 0, nil }

// latencies: done is when River's subscription says that the last job is completed.
func (r *river) latencies(ctx context.Context, steps, n int) ([]time.Duration, error) {
	client, err := r.client(ctx, func() {})
	if err != nil {
		return nil, err
	}
	events, cancel := client.Subscribe(lib.EventKindJobCompleted)
	defer cancel()
	if err := client.Start(ctx); err != nil {
		return nil, err
	}
	var times []time.Duration
	for i := range n + 20 {
		time.Sleep(40 * time.Millisecond)
		start := time.Now()
		if _, err := client.Insert(ctx, noopArgs{Left: steps - 1}, nil); err != nil {
			return nil, err
		}
		for range steps {
			<-events
		}
		if i >= 20 {
			times = append(times, time.Since(start))
		}
	}
	return times, client.Stop(ctx)
}
