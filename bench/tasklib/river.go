package main

import (
	"context"
	"io"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
)

// riverArgs are the same arguments as a job of River.
type riverArgs struct {
	To   string `json:"to"`
	Text string `json:"text"`
}

func (riverArgs) Kind() string { return "email" }

type riverWorker struct {
	river.WorkerDefaults[riverArgs]
	ran *atomic.Pointer[func()]
}

func (w *riverWorker) Work(context.Context, *river.Job[riverArgs]) error {
	(*w.ran.Load())()
	return nil
}

// theirs is River. It submits by InsertManyFast, which is COPY, and its worker has the settings of River's own
// benchmark.
type theirs struct {
	pool   *pgxpool.Pool
	insert *river.Client[pgx.Tx]
	ran    atomic.Pointer[func()]
}

func newRiver(ctx context.Context, pool *pgxpool.Pool) (side, error) {
	migrator, err := rivermigrate.New(riverpgxv5.New(pool), nil)
	if err != nil {
		return nil, err
	}
	if _, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return nil, err
	}
	t := &theirs{pool: pool}
	t.insert, err = river.NewClient(riverpgxv5.New(pool), &river.Config{Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	return t, err
}

func (t *theirs) name() string { return "River" }

func (t *theirs) reset(ctx context.Context, finished, pending int) error {
	if _, err := t.pool.Exec(ctx, "truncate river_job"); err != nil {
		return err
	}
	if _, err := t.pool.Exec(ctx, `
		insert into river_job (state, attempt, attempted_at, finalized_at, kind, max_attempts, priority, args)
		select 'completed', 1, now(), now(), 'email', 25, 1, jsonb_build_object('to', 'someone@example.org', 'text', 'Your order has been sent.')
		  from generate_series(1, $1)`, finished); err != nil {
		return err
	}
	if _, err := t.pool.Exec(ctx, `
		insert into river_job (state, kind, max_attempts, priority, args)
		select 'available', 'email', 25, 4, jsonb_build_object('to', 'someone@example.org', 'text', 'Your order has been sent.')
		  from generate_series(1, $1)`, pending); err != nil {
		return err
	}
	_, err := t.pool.Exec(ctx, "vacuum analyze river_job")
	return err
}

func (t *theirs) submit(ctx context.Context) error {
	_, err := t.insert.Insert(ctx, riverArgs{to, text}, nil)
	return err
}

func (t *theirs) submitMany(ctx context.Context, n int) error {
	params := make([]river.InsertManyParams, n)
	for i := range params {
		params[i] = river.InsertManyParams{Args: riverArgs{to, text}}
	}
	_, err := t.insert.InsertManyFast(ctx, params)
	return err
}

func (t *theirs) work(ctx context.Context, ran func()) (func() error, error) {
	t.ran.Store(&ran)
	workers := river.NewWorkers()
	river.AddWorker(workers, &riverWorker{ran: &t.ran})
	client, err := river.NewClient(riverpgxv5.New(t.pool), &river.Config{
		Logger:            slog.New(slog.NewTextHandler(io.Discard, nil)),
		Queues:            map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: *concurrency}},
		Workers:           workers,
		JobTimeout:        -1,
		FetchCooldown:     2 * time.Millisecond,
		FetchPollInterval: 20 * time.Millisecond,
	})
	if err != nil {
		return nil, err
	}
	if err := client.Start(ctx); err != nil {
		return nil, err
	}
	return func() error { return client.StopAndCancel(ctx) }, nil
}

func (t *theirs) left(ctx context.Context, pending int) (n int, err error) {
	err = t.pool.QueryRow(ctx, `select count(*) from river_job where state in ('available', 'running') and priority = 1`).Scan(&n)
	return n, err
}
