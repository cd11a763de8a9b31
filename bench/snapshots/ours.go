package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"
)

// batch is the number of units of work that a call takes.
const batch = 10

// ours are tasks of one step. Every tenth step fails once, and a timer retries it.
type ours struct {
	pool   *pgxpool.Pool
	worker uuid.UUID
	steps  []uuid.UUID
	claims []int32
}

const (
	claimSteps = "select step_uuid, claim_no from tasker.claim_steps('{bench}', $1, $2, p_handlers => '{only}')"
	complete   = `select answer from tasker.complete_steps($1, $2, array_fill('{"ok": true}'::jsonb, array[cardinality($1::uuid[])]))`
	fail       = `
		select answer
		  from tasker.fail_steps($1, $2, array_fill('again'::text, array[cardinality($1::uuid[])]), p_backoff_seconds => array_fill(0, array[cardinality($1::uuid[])]))`
)

func (o *ours) prepare(ctx context.Context, pool *pgxpool.Pool) error {
	o.pool, o.worker = pool, uuid.New()
	_, err := pool.Exec(ctx, `select from tasker.register_task_template(
		'{"namespace": "bench", "name": "single", "identity_strategy": "always_unique", "steps": [{"name": "only", "retry": {"max_attempts": 10}}]}')`)
	return err
}

func (o *ours) create(ctx context.Context, n int) error {
	_, err := o.pool.Exec(ctx, `select count(*) from tasker.create_tasks('bench', 'single', array_fill('{}'::jsonb, array[$1::integer]))`, n)
	return err
}

// pass works on two connections, with about a hundred steps in each call.
func (o *ours) pass(ctx context.Context, n int) error {
	group, gctx := errgroup.WithContext(ctx)
	for range 2 {
		group.Go(func() error {
			for left := n / 2; left > 0; left -= 100 {
				if err := o.create(gctx, 100); err != nil {
					return err
				}
				if _, err := o.turn(gctx, 10); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for {
		if done, err := o.turn(ctx, 0); err != nil || done == 0 {
			return err
		}
	}
}

// turn claims steps, fails some of them and completes the others. It returns the number of claimed steps.
func (o *ours) turn(ctx context.Context, failures int) (int, error) {
	steps, claims, err := claim(ctx, o.pool, uuid.New(), 110)
	if err != nil || len(steps) == 0 {
		return 0, err
	}
	failures = min(failures, len(steps))
	if failures > 0 {
		if _, err := o.pool.Exec(ctx, fail, steps[:failures], claims[:failures]); err != nil {
			return 0, err
		}
	}
	if len(steps) > failures {
		if _, err := o.pool.Exec(ctx, complete, steps[failures:], claims[failures:]); err != nil {
			return 0, err
		}
	}
	return len(steps), nil
}

type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

func claim(ctx context.Context, db querier, worker uuid.UUID, n int) (steps []uuid.UUID, claims []int32, err error) {
	rows, err := db.Query(ctx, claimSteps, worker, n)
	if err != nil {
		return nil, nil, err
	}
	return collect(rows)
}

func collect(rows pgx.Rows) (steps []uuid.UUID, claims []int32, err error) {
	var step uuid.UUID
	var no int32
	_, err = pgx.ForEachRow(rows, []any{&step, &no}, func() error {
		steps, claims = append(steps, step), append(claims, no)
		return nil
	})
	return steps, claims, err
}

func (o *ours) calls() []call {
	claims := func(ctx context.Context, conn *pgxpool.Conn) (err error) {
		if o.steps, o.claims, err = claim(ctx, conn, o.worker, batch); err == nil && len(o.steps) != batch {
			err = fmt.Errorf("%d of %d steps", len(o.steps), batch)
		}
		return err
	}
	exchange := func(ctx context.Context, conn *pgxpool.Conn) error {
		results := make([]json.RawMessage, len(o.steps))
		for i := range results {
			results[i] = json.RawMessage(`{"ok": true}`)
		}
		rows, err := conn.Query(ctx, `
			select step_uuid, claim_no
			  from tasker.exchange_steps($1, $2, $3, $4, p_namespaces => '{bench}', p_limit => $5, p_handlers => '{only}')
			 where answer is null`, o.worker, o.steps, o.claims, results, batch)
		if err == nil {
			o.steps, o.claims, err = collect(rows)
		}
		return err
	}
	return []call{
		{"", "", func(ctx context.Context, _ *pgxpool.Conn) error { return o.create(ctx, 2*batch) }},
		{"claim 10 steps", "claim_steps", claims},
		{"10 failures, to be retried", "fail_steps", func(ctx context.Context, conn *pgxpool.Conn) error {
			_, err := conn.Exec(ctx, fail, o.steps, o.claims)
			return err
		}},
		{"fire 10 timers", "fire_due_timers", func(ctx context.Context, conn *pgxpool.Conn) error {
			_, err := conn.Exec(ctx, "select tasker.fire_due_timers()")
			return err
		}},
		{"`next_due_at`", "next_due_at", func(ctx context.Context, conn *pgxpool.Conn) error {
			_, err := conn.Exec(ctx, "select tasker.next_due_at('{bench}')")
			return err
		}},
		{"", "", claims},
		{"10 results and 10 claims", "exchange_steps", exchange},
		{"10 results", "complete_steps", func(ctx context.Context, conn *pgxpool.Conn) error {
			_, err := conn.Exec(ctx, complete, o.steps, o.claims)
			return err
		}},
	}
}
