package main

import (
	"context"
	"encoding/json"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// messages is this project's own pgmq. Two loops read and delete batches of 100 messages. pgmq records no results, has no
// retries and keeps no ended messages, so its cost is the lowest cost of a queue in PostgreSQL.
type messages struct{ pool *pgxpool.Pool }

func newPGMQ(ctx context.Context, pool *pgxpool.Pool) (side, error) {
	_, err := pool.Exec(ctx, "select pgmq.create('bench')")
	return &messages{pool}, err
}

func (m *messages) name() string { return "pgmq (ours)" }

const message = `{"to": "` + to + `", "text": "` + text + `"}`

func (m *messages) reset(ctx context.Context, finished, pending int) error {
	if _, err := m.pool.Exec(ctx, "truncate pgmq.q_bench, pgmq.a_bench"); err != nil {
		return err
	}
	if _, err := m.pool.Exec(ctx, "insert into pgmq.a_bench (msg_id, vt, message) select -n, now(), $2 from generate_series(1, $1) as n", finished, message); err != nil {
		return err
	}
	_, err := m.pool.Exec(ctx, "vacuum analyze pgmq.q_bench")
	return err
}

func (m *messages) submit(ctx context.Context) error {
	_, err := m.pool.Exec(ctx, "select pgmq.send('bench', $1::jsonb)", message)
	return err
}

func (m *messages) submitMany(ctx context.Context, n int) error {
	all := make([]json.RawMessage, n)
	for i := range all {
		all[i] = json.RawMessage(message)
	}
	_, err := m.pool.Exec(ctx, "select count(*) from pgmq.send_batch('bench', $1::jsonb[])", all)
	return err
}

func (m *messages) work(ctx context.Context, ran func()) (func() error, error) {
	ctx, cancel := context.WithCancel(ctx)
	var loops sync.WaitGroup
	var failed atomic.Pointer[error]
	for range 2 {
		loops.Go(func() {
			for ctx.Err() == nil {
				n, err := m.turn(context.WithoutCancel(ctx), ran)
				if err != nil {
					failed.Store(&err)
					return
				}
				if n == 0 {
					time.Sleep(time.Millisecond)
				}
			}
		})
	}
	return func() error {
		cancel()
		loops.Wait()
		if err := failed.Load(); err != nil {
			return *err
		}
		return nil
	}, nil
}

func (m *messages) turn(ctx context.Context, ran func()) (n int, err error) {
	rows, err := m.pool.Query(ctx, "select msg_id, message from pgmq.read('bench', 600, 100)")
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	var ids []int64
	for rows.Next() {
		var id int64
		var args email
		if err := rows.Scan(&id, &args); err != nil {
			return 0, err
		}
		ids = append(ids, id)
		ran()
	}
	if err := rows.Err(); err != nil || len(ids) == 0 {
		return 0, err
	}
	_, err = m.pool.Exec(ctx, "select count(*) from pgmq.delete('bench', $1::bigint[])", ids)
	return len(ids), err
}

func (m *messages) left(ctx context.Context, _ int) (n int, err error) {
	err = m.pool.QueryRow(ctx, "select count(*) from pgmq.q_bench").Scan(&n)
	return n, err
}
