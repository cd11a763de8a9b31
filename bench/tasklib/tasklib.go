package main

import (
	"context"
	"io"
	"log/slog"
	"sync/atomic"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/tasklib"
	tasklibgen "github.com/pgtasker/pgtasker/tasklib/gen"
)

type email struct {
	To   string `json:"to"`
	Text string `json:"text"`
}

// ours is tasklib: submissions by SubmitMany, one worker.
type ours struct {
	pool   *pgxpool.Pool
	client *tasklib.Client
	task   *tasklib.Task[email, int]
	audit  bool
	ran    atomic.Pointer[func()]
}

func newTasklib(ctx context.Context, pool *pgxpool.Pool) (side, error) {
	return makeTasklib(ctx, pool, true)
}

func newTasklibWithoutAudit(ctx context.Context, pool *pgxpool.Pool) (side, error) {
	return makeTasklib(ctx, pool, false)
}

func makeTasklib(ctx context.Context, pool *pgxpool.Pool, audit bool) (side, error) {
	o := &ours{pool: pool, audit: audit}
	o.client = tasklib.NewClient(pool, tasklib.Config{Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	o.task = tasklib.MustRegister(o.client, "email", func(context.Context, email) (int, error) {
		(*o.ran.Load())()
		return 1, nil
	}, tasklib.Options{})
	return o, o.client.Sync(ctx)
}

func (o *ours) name() string {
	if o.audit {
		return "tasklib"
	}
	return "tasklib, audit off"
}

func (o *ours) reset(ctx context.Context, finished, pending int) error {
	_, err := o.pool.Exec(ctx, "truncate tasklib.tasks, tasklib.task_runs")
	if err != nil {
		return err
	}
	value := "false"
	if o.audit {
		value = "true"
	}
	if _, err := o.client.Functions().SetSetting(ctx, tasklibgen.SetSettingParams{Name: "audit_runs", Value: &value}); err != nil {
		return err
	}
	for _, sql := range []string{
		`
		insert into tasklib.tasks (id, created_at, scheduled_at, started_at, completed_at, state, ready, claim_no, max_retries, name, submitted_by, kwargs, result)
		select gen_random_uuid(), now(), now(), now(), now(), 'completed', false, 1, 3, 'email', 'bench', jsonb_build_object('to', 'someone@example.org', 'text', 'Your order has been sent.'), '{"value": 1}'
		  from generate_series(1, $1)`, `
		insert into tasklib.tasks (id, created_at, scheduled_at, state, ready, priority, max_retries, name, submitted_by, kwargs)
		select gen_random_uuid(), now(), now(), 'pending', true, -1, 3, 'email', 'bench', jsonb_build_object('to', 'someone@example.org', 'text', 'Your order has been sent.')
		  from generate_series(1, $1)`,
	} {
		n := finished
		finished = pending
		if _, err := o.pool.Exec(ctx, sql, n); err != nil {
			return err
		}
	}
	_, err = o.pool.Exec(ctx, "vacuum analyze tasklib.tasks")
	return err
}

func (o *ours) submit(ctx context.Context) error {
	_, err := o.task.Submit(ctx, o.pool, email{to, text})
	return err
}

func (o *ours) submitMany(ctx context.Context, n int) error {
	args := make([]email, n)
	for i := range args {
		args[i] = email{to, text}
	}
	_, err := o.task.SubmitMany(ctx, o.pool, args)
	return err
}

func (o *ours) work(ctx context.Context, ran func()) (func() error, error) {
	o.ran.Store(&ran)
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() { done <- o.client.NewWorker(tasklib.WorkerConfig{Concurrency: *concurrency}).Run(ctx) }()
	return func() error {
		cancel()
		return <-done
	}, nil
}

func (o *ours) left(ctx context.Context, pending int) (n int, err error) {
	err = o.pool.QueryRow(ctx, `
		select (select count(*) from tasklib.tasks where ready and name = 'email' and priority = 0)
		     + (select count(*) from tasklib.tasks where locked_until is not null and priority = 0)`).Scan(&n)
	return n, err
}
