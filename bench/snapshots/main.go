// Command snapshots measures the cost of an old snapshot. A transaction that stays open keeps PostgreSQL from removing dead
// rows, and the rows of a queue die fast. The command holds such a transaction while steps pass. It measures claims, results,
// timers and the query for the next sleep, before and after the steps. It also makes the same measurement without an old
// snapshot, and measures River and pgmq with an old snapshot on the same server:
//
//	make bench-snapshots
package main

import (
	"context"
	"flag"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/bench/internal/lab"
)

var (
	steps = flag.Int("steps", 200_000, "how many steps, jobs and messages pass")
	turns = flag.Int("turns", 20, "how many calls of each kind are measured")
	only  = flag.String("only", "", "measure only the queues whose name contains this")
)

// queue is a measured queue.
type queue interface {
	// prepare creates the queue's tables and templates in its database.
	prepare(ctx context.Context, pool *pgxpool.Pool) error
	// pass creates n units of work, takes them and completes them.
	pass(ctx context.Context, n int) error
	// calls are the measured calls. Each call begins with the rows that the preceding call has left.
	calls() []call
}

// call is measured if it has a name. Its statement is recognized by its text.
type call struct {
	name string
	text string
	run  func(ctx context.Context, conn *pgxpool.Conn) error
}

// figure is the cost of one call.
type figure struct {
	buffers float64
	cpu     time.Duration
}

func main() {
	flag.Parse()
	lab.RunServer(func(ctx context.Context, server *lab.Server) error {
		rows := [][]string{{"queue", "call", "buffers before", "after", "ratio", "CPU before", "after", "ratio"}}
		for _, s := range []struct {
			name string
			held bool
			queue
		}{
			{"pgtasker", true, &ours{}},
			{"pgtasker without the old snapshot", false, &ours{}},
			{"River", true, &rivers{}},
			{"pgmq (ours)", true, &messages{}},
		} {
			if !strings.Contains(s.name, *only) {
				continue
			}
			pool, err := server.New(ctx)
			if err != nil {
				return err
			}
			before, after, took, err := measure(ctx, pool, s.queue, s.held)
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			fmt.Printf("%s: %d passed in %s\n", s.name, *steps, took.Round(time.Second))
			for _, c := range s.calls() {
				if c.name == "" {
					continue
				}
				b, a := before[c.name], after[c.name]
				rows = append(rows, []string{
					s.name, c.name, fmt.Sprintf("%.0f", b.buffers), fmt.Sprintf("%.0f", a.buffers), fmt.Sprintf("%.2f", a.buffers/b.buffers),
					b.cpu.Round(10 * time.Microsecond).String(), a.cpu.Round(10 * time.Microsecond).String(), fmt.Sprintf("%.2f", float64(a.cpu)/float64(b.cpu)),
				})
			}
		}
		lab.Table(rows)
		return nil
	})
}

// measure measures the calls, lets the units pass, with or without an old snapshot, and measures them again.
func measure(ctx context.Context, pool *pgxpool.Pool, q queue, held bool) (before, after map[string]figure, took time.Duration, err error) {
	if err := q.prepare(ctx, pool); err != nil {
		return nil, nil, 0, err
	}
	if _, err := pool.Exec(ctx, "create extension if not exists pg_stat_statements schema public"); err != nil {
		return nil, nil, 0, err
	}
	if err := q.pass(ctx, 1000); err != nil { // plans, and pages that are not empty
		return nil, nil, 0, err
	}
	if _, err := pool.Exec(ctx, "vacuum analyze"); err != nil {
		return nil, nil, 0, err
	}
	if before, err = figures(ctx, pool, q); err != nil {
		return nil, nil, 0, err
	}
	if held {
		old, err := pool.Begin(ctx)
		if err != nil {
			return nil, nil, 0, err
		}
		defer func() { _ = old.Rollback(ctx) }()
		for _, statement := range []string{"set transaction isolation level repeatable read", "select pg_current_snapshot()"} {
			if _, err := old.Exec(ctx, statement); err != nil {
				return nil, nil, 0, err
			}
		}
	}
	start := time.Now()
	if err := q.pass(ctx, *steps); err != nil {
		return nil, nil, 0, err
	}
	took = time.Since(start)
	after, err = figures(ctx, pool, q)
	return before, after, took, err
}

// figures are the means of some turns.
func figures(ctx context.Context, pool *pgxpool.Pool, q queue) (map[string]figure, error) {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Release()
	used := map[string]time.Duration{}
	calls := q.calls()
	for turn := range *turns + 2 {
		if turn == 2 { // the first calls plan
			if _, err := conn.Exec(ctx, "select public.pg_stat_statements_reset()"); err != nil {
				return nil, err
			}
			clear(used)
		}
		for _, c := range calls {
			begun, err := lab.BackendCPU(ctx, conn)
			if err != nil {
				return nil, err
			}
			if err := c.run(ctx, conn); err != nil {
				return nil, fmt.Errorf("%s: %w", c.name, err)
			}
			ended, err := lab.BackendCPU(ctx, conn)
			if err != nil {
				return nil, err
			}
			used[c.name] += ended - begun
		}
	}
	all := map[string]figure{}
	for _, c := range calls {
		f := figure{cpu: used[c.name] / time.Duration(*turns)}
		if c.name != "" {
			if err := conn.QueryRow(ctx, `
				select sum(s.shared_blks_hit + s.shared_blks_read)::float / sum(s.calls)
				  from public.pg_stat_statements as s
				  join pg_database as d
				    on d.oid = s.dbid
				 where d.datname = current_database()
				   and s.toplevel
				   and position($1 in s.query) > 0
				   and s.query not like '%pg_stat_statements%'`, c.text).Scan(&f.buffers); err != nil {
				return nil, fmt.Errorf("%s: %w", c.name, err)
			}
		}
		all[c.name] = f
	}
	return all, nil
}
