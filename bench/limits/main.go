// Command limits measures how much limits add to the cost of a claim: without limits in the database, with limits of other
// handlers, with limits that are not reached, and with 1,000,000 blocked steps of one key before the claimed step:
//
//	make bench-limits
//
// The first 10,000 blocked steps belong to tasks that were created. The other steps are only copies of a row in the queue,
// since a claim reads nothing else of them. Each claim is rolled back, so that all claims find the same queue. Statements
// inside the call are counted by pg_stat_statements.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/bench/internal/lab"
)

var (
	blocked = flag.Int("blocked", 1000000, "how many blocked steps of one key stand in front")
	times   = flag.Int("times", 21, "how often each claim is measured")
)

func main() {
	flag.Parse()
	if *blocked < 10_000 {
		fmt.Fprintln(os.Stderr, "limits: -blocked must be at least 10000: so many tasks are created")
		os.Exit(2)
	}
	lab.Run(run)
}

const claim = `select from tasker.claim_steps('{bench}', '00000000-0000-4000-8000-000000000001', $1, 86400, $2)`

type measure struct {
	situation string
	limit     int
	handlers  []string
}

func run(ctx context.Context, pool *pgxpool.Pool) error {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	b := &bench{conn: conn.Conn(), rows: [][]string{{"claim", "statements", "buffers", "ms, median"}}}
	if err := b.exec(ctx, "create extension if not exists pg_stat_statements schema public; set pg_stat_statements.track = 'all'"); err != nil {
		return err
	}

	steps := []func() error{
		func() error { return b.exec(ctx, register("free", "")) },
		func() error { return b.exec(ctx, create("free", 5000, "")) },
		func() error { return b.measure(ctx, measure{"no limit in the database", 1, []string{"free"}}) },
		func() error { return b.measure(ctx, measure{"no limit in the database", 100, []string{"free"}}) },
		func() error { return b.exec(ctx, register("open", `, "limit": "open", "limit_key": "$.key"`)) },
		func() error { return b.exec(ctx, register("closed", `, "limit": "closed"`)) },
		func() error {
			return b.exec(ctx, "select tasker.set_limit('bench', 'open', 1000000); select tasker.set_limit('bench', 'closed', 1)")
		},
		func() error { return b.exec(ctx, create("open", 5000, "i % 50")) },
		func() error { return b.settle(ctx, "open") },
		func() error {
			return b.measure(ctx, measure{"limits of other handlers", 1, []string{"free"}})
		},
		func() error { return b.measure(ctx, measure{"limits of other handlers", 100, []string{"free"}}) },
		func() error {
			return b.measure(ctx, measure{"a limit that does not bind, 50 keys", 1, []string{"open"}})
		},
		func() error {
			return b.measure(ctx, measure{"a limit that does not bind, 50 keys", 100, []string{"open"}})
		},
		func() error { return b.exec(ctx, create("closed", 5000, "0")) },
		func() error { return b.settle(ctx, "closed") },
		func() error { return b.exec(ctx, "vacuum analyze tasker.step_queue") },
		func() error { return b.behind(ctx, 5000) },
		func() error { return b.exec(ctx, create("closed", 5000, "0")) },
		func() error { return b.exec(ctx, fmt.Sprintf(copies, *blocked-10_000)) },
		func() error { return b.settle(ctx, "closed") },
		func() error { return b.exec(ctx, "vacuum analyze tasker.step_queue") },
		func() error { return b.behind(ctx, *blocked) },
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	lab.Table(b.rows)
	return nil
}

// copies adds rows to the queue of the limit that is reached.
const copies = `insert into tasker.step_queue (task_uuid, step_no, namespace, lane, named_step_uuid, visible_at, limit_no, limit_key, limit_lane)
	select tasker.uuid_generate_v7(), 1, q.namespace, q.lane, q.named_step_uuid, q.visible_at + i * interval '1 microsecond', q.limit_no, q.limit_key, q.limit_lane
	  from (
	    select q.* from tasker.step_queue as q join tasker.limits as l on l.limit_no = q.limit_no
	     where l.name = 'closed' and q.lane = 'limited' order by q.visible_at desc limit 1
	  ) as q
	 cross join generate_series(1, %d) as i`

// behind measures claims with this number of blocked steps before the claimed step.
func (b *bench) behind(ctx context.Context, blocked int) error {
	for _, m := range []measure{
		{"no limit", 1, []string{"free"}},
		{"no limit", 100, []string{"free"}},
		{"another limit", 1, []string{"open"}},
		{"another limit", 100, []string{"open"}},
		{"all handlers", 1, nil},
		{"only they", 1, []string{"closed"}},
	} {
		m.situation = fmt.Sprintf("%d blocked in front, %s", blocked, m.situation)
		if err := b.measure(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

func register(name, limit string) string {
	return fmt.Sprintf(`select tasker.register_task_template('{"namespace": "bench", "name": "%[1]s", "identity_strategy": "always_unique",
		"steps": [{"name": "%[1]s"%[2]s}]}')`, name, limit)
}

// create makes tasks in batches of 1,000.
func create(name string, tasks int, key string) string {
	context := "'{}'::jsonb"
	if key != "" {
		context = "jsonb_build_object('key', " + key + ")"
	}
	return fmt.Sprintf(`select count(*) from generate_series(1, %d) as b
		cross join lateral tasker.create_tasks('bench', '%s', array(select %s from generate_series(1, least(1000, %d)) as i)) as c`,
		max(tasks/1000, 1), name, context, tasks)
}

type bench struct {
	conn *pgx.Conn
	rows [][]string
}

func (b *bench) exec(ctx context.Context, sql string) error {
	_, err := b.conn.Exec(ctx, sql)
	if err != nil {
		return fmt.Errorf("%s: %w", sql, err)
	}
	return nil
}

// settle claims until the notes of enqueued steps are folded.
func (b *bench) settle(ctx context.Context, handler string) error {
	for {
		var notes int
		err := b.conn.QueryRow(ctx, `select count(*) from tasker.limit_notes as n join tasker.limit_handlers as h on h.limit_no = n.limit_no
			where h.handler = $1`, handler).Scan(&notes)
		if err != nil || notes == 0 {
			return err
		}
		if _, err := b.conn.Exec(ctx, claim, 10, []string{handler}); err != nil {
			return err
		}
	}
}

// measure claims again and again, and rolls back each claim.
func (b *bench) measure(ctx context.Context, m measure) error {
	var (
		durations []time.Duration
		buffers   int64
	)
	if err := b.exec(ctx, "select public.pg_stat_statements_reset()"); err != nil {
		return err
	}
	for range *times {
		if err := b.once(ctx, m, func(tx pgx.Tx) error {
			began := time.Now()
			_, err := tx.Exec(ctx, claim, m.limit, m.handlers)
			durations = append(durations, time.Since(began))
			return err
		}); err != nil {
			return err
		}
	}
	var statements float64
	if err := b.conn.QueryRow(ctx, `
		select (sum(s.calls) filter (where not s.toplevel))::float / $1
		  from public.pg_stat_statements as s
		  join pg_database as d on d.oid = s.dbid
		 where d.datname = current_database()
		   and s.query not like '%pg_stat_statements%'`, *times).Scan(&statements); err != nil {
		return err
	}
	if err := b.once(ctx, m, func(tx pgx.Tx) error {
		var text []byte
		err := tx.QueryRow(ctx, "explain (analyze, buffers, timing off, format json) "+claim, m.limit, m.handlers).Scan(&text)
		if err != nil {
			return err
		}
		var plans []struct {
			Plan struct {
				Hit  int64 `json:"Shared Hit Blocks"`
				Read int64 `json:"Shared Read Blocks"`
			}
		}
		if err := json.Unmarshal(text, &plans); err != nil {
			return err
		}
		buffers = plans[0].Plan.Hit + plans[0].Plan.Read
		return nil
	}); err != nil {
		return err
	}
	b.rows = append(b.rows, []string{
		fmt.Sprintf("%d, %s", m.limit, m.situation), fmt.Sprintf("%.1f", statements), fmt.Sprint(buffers),
		fmt.Sprintf("%.2f", float64(lab.Median(durations).Microseconds())/1000),
	})
	return nil
}

func (b *bench) once(ctx context.Context, m measure, call func(tx pgx.Tx) error) error {
	tx, err := b.conn.Begin(ctx)
	if err != nil {
		return err
	}
	err = call(tx)
	if rollback := tx.Rollback(ctx); err == nil {
		err = rollback
	}
	if err != nil {
		return fmt.Errorf("%s: %w", m.situation, err)
	}
	return nil
}
