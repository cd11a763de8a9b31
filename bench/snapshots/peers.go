package main

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
	"github.com/riverqueue/river/rivertype"
)

// rivers are River's jobs, through the calls that its client makes of its driver.
type rivers struct {
	pool   *pgxpool.Pool
	driver *riverpgxv5.Driver
	jobs   []int64
}

func (r *rivers) prepare(ctx context.Context, pool *pgxpool.Pool) error {
	r.pool, r.driver = pool, riverpgxv5.New(pool)
	migrator, err := rivermigrate.New(r.driver, nil)
	if err != nil {
		return err
	}
	_, err = migrator.Migrate(ctx, rivermigrate.DirectionUp, nil)
	return err
}

func (r *rivers) insert(ctx context.Context, n int) error {
	_, err := r.pool.Exec(ctx,
		"insert into river_job (state, kind, max_attempts, priority, args) select 'available', 'noop', 25, 1, '{}' from generate_series(1, $1::integer)", n)
	return err
}

func (r *rivers) fetch(ctx context.Context, e riverdriver.Executor, n int) error {
	fetched, err := e.JobGetAvailable(ctx, &riverdriver.JobGetAvailableParams{ClientID: "bench", MaxAttemptedBy: 100, MaxToLock: n, Queue: "default"})
	if err != nil {
		return err
	}
	r.jobs = r.jobs[:0]
	for _, job := range fetched.Jobs {
		r.jobs = append(r.jobs, job.ID)
	}
	if len(r.jobs) != n {
		return fmt.Errorf("%d of %d jobs", len(r.jobs), n)
	}
	return nil
}

func (r *rivers) complete(ctx context.Context, e riverdriver.Executor) error {
	n, now := len(r.jobs), time.Now()
	p := &riverdriver.JobSetStateIfRunningManyParams{
		ID: r.jobs, Attempt: make([]*int, n), ErrData: make([][]byte, n), FinalizedAt: make([]*time.Time, n), MetadataDoMerge: make([]bool, n),
		MetadataUpdates: make([][]byte, n), ScheduledAt: make([]*time.Time, n), State: make([]rivertype.JobState, n),
	}
	for i := range n {
		p.FinalizedAt[i], p.State[i] = &now, rivertype.JobStateCompleted
	}
	_, err := e.JobSetStateIfRunningMany(ctx, p)
	return err
}

func (r *rivers) pass(ctx context.Context, n int) error {
	for ; n > 0; n -= 100 {
		if err := r.insert(ctx, 100); err != nil {
			return err
		}
		if err := r.fetch(ctx, r.driver.GetExecutor(), 100); err != nil {
			return err
		}
		if err := r.complete(ctx, r.driver.GetExecutor()); err != nil {
			return err
		}
	}
	return nil
}

func (r *rivers) calls() []call {
	within := func(work func(context.Context, riverdriver.Executor) error) func(context.Context, *pgxpool.Conn) error {
		return func(ctx context.Context, conn *pgxpool.Conn) error {
			return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error { return work(ctx, r.driver.UnwrapExecutor(tx)) })
		}
	}
	return []call{
		{"", "", func(ctx context.Context, _ *pgxpool.Conn) error { return r.insert(ctx, batch) }},
		{"fetch 10 jobs", "JobGetAvailable", within(func(ctx context.Context, e riverdriver.Executor) error { return r.fetch(ctx, e, batch) })},
		{"10 results", "JobSetStateIfRunningMany", within(r.complete)},
	}
}

// messages are messages of this project's pgmq, which has the tables and statements of the real pgmq.
type messages struct {
	pool *pgxpool.Pool
	ids  []int64
}

func (m *messages) prepare(ctx context.Context, pool *pgxpool.Pool) error {
	m.pool = pool
	_, err := pool.Exec(ctx, "select pgmq.create('bench')")
	return err
}

func (m *messages) send(ctx context.Context, n int) error {
	_, err := m.pool.Exec(ctx, "select count(*) from pgmq.send_batch('bench', array_fill('{}'::jsonb, array[$1::integer]))", n)
	return err
}

func (m *messages) read(ctx context.Context, db querier, n int) error {
	rows, err := db.Query(ctx, "select msg_id from pgmq.read('bench', 600, $1)", n)
	if err != nil {
		return err
	}
	if m.ids, err = pgx.CollectRows(rows, pgx.RowTo[int64]); err == nil && len(m.ids) != n {
		err = fmt.Errorf("%d of %d messages", len(m.ids), n)
	}
	return err
}

const deleteMessages = "select count(*) from pgmq.delete('bench', $1::bigint[])"

func (m *messages) pass(ctx context.Context, n int) error {
	for ; n > 0; n -= 100 {
		if err := m.send(ctx, 100); err != nil {
			return err
		}
		if err := m.read(ctx, m.pool, 100); err != nil {
			return err
		}
		if _, err := m.pool.Exec(ctx, deleteMessages, m.ids); err != nil {
			return err
		}
	}
	return nil
}

func (m *messages) calls() []call {
	return []call{
		{"", "", func(ctx context.Context, _ *pgxpool.Conn) error { return m.send(ctx, batch) }},
		{"read 10 messages", "pgmq.read", func(ctx context.Context, conn *pgxpool.Conn) error { return m.read(ctx, conn, batch) }},
		{"delete 10 messages", "pgmq.delete", func(ctx context.Context, conn *pgxpool.Conn) error {
			_, err := conn.Exec(ctx, deleteMessages, m.ids)
			return err
		}},
	}
}
