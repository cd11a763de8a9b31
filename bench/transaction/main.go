// Command transaction compares the cost of a handler's own transaction with results that are recorded in batches:
//
//	make bench-transaction
//
// A worker drains tasks of one step by four kinds of handlers, in turns. The first handler does nothing. The second writes a
// row by a statement of its own. The third does nothing in the transaction of its result. The fourth writes a row in that
// transaction. Each figure is the cost of one step, the median of the turns.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/bench/internal/lab"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/worker"
)

var (
	rounds = flag.Int("rounds", 5, "turns of each kind")
	tasks  = flag.Int("tasks", 4000, "tasks to drain in each turn")
	warm   = flag.Int("warm", 500, "tasks before that, in which sessions plan their statements")
	conns  = flag.Int("conns", 12, "connections of the worker's pool; two exchanges and one more leave the others to transactions")
)

func main() {
	flag.Parse()
	lab.RunServer(run)
}

const insert = "insert into public.bookings (task, amount) values ($1, 7)"

// kind is a way to do a step.
type kind struct {
	name   string
	handle func(w *worker.Worker, pool *pgxpool.Pool)
}

type job = worker.Job[struct{}]

var kinds = []kind{
	{"nothing, recorded in batches", func(w *worker.Worker, _ *pgxpool.Pool) {
		worker.Handle(w, "book", func(context.Context, *job) (int, error) { return 1, nil })
	}},
	{"a row by its own statement, recorded in batches", func(w *worker.Worker, pool *pgxpool.Pool) {
		worker.Handle(w, "book", func(ctx context.Context, j *job) (int, error) {
			_, err := pool.Exec(ctx, insert, j.TaskUUID)
			return 1, err
		})
	}},
	{"nothing, recorded in its transaction", func(w *worker.Worker, _ *pgxpool.Pool) {
		worker.HandleTx(w, "book", func(context.Context, pgx.Tx, *job) (int, error) { return 1, nil })
	}},
	{"a row, recorded in its transaction", func(w *worker.Worker, _ *pgxpool.Pool) {
		worker.HandleTx(w, "book", func(ctx context.Context, tx pgx.Tx, j *job) (int, error) {
			_, err := tx.Exec(ctx, insert, j.TaskUUID)
			return 1, err
		})
	}},
}

// cost is the mean cost of a step in one turn.
type cost struct{ server, client, took, trips, wal float64 }

func run(ctx context.Context, server *lab.Server) error {
	admin, err := server.New(ctx)
	if err != nil {
		return err
	}
	if _, err := admin.Exec(ctx, "create table public.bookings (task uuid not null, amount integer not null)"); err != nil {
		return err
	}
	if _, err := executor.New(admin).RegisterTaskTemplate(ctx, json.RawMessage(`{"namespace": "bench", "name": "book",
		"identity_strategy": "always_unique", "steps": [{"name": "book"}]}`)); err != nil {
		return err
	}
	turns := make([][]cost, len(kinds))
	for round := range *rounds + 1 {
		for i, k := range kinds {
			c, err := drain(ctx, admin, k)
			if err != nil {
				return fmt.Errorf("%s: %w", k.name, err)
			}
			if round > 0 { // The first turn warms the server.
				turns[i] = append(turns[i], c)
			}
		}
	}
	rows := [][]string{{"for each step", "CPU of PostgreSQL", "of the worker", "statements", "WAL", "time"}}
	medians := make([]cost, len(kinds))
	for i, k := range kinds {
		m := median(turns[i])
		medians[i] = m
		rows = append(rows, []string{
			k.name, fmt.Sprintf("%.0f µs", m.server), fmt.Sprintf("%.0f µs", m.client), fmt.Sprintf("%.2f", m.trips),
			fmt.Sprintf("%.0f bytes", m.wal), fmt.Sprintf("%.0f µs", m.took),
		})
	}
	rows = append(rows, ratio("a transaction beside a batch, doing nothing", medians[2], medians[0]),
		ratio("a transaction beside a statement and a batch, a row", medians[3], medians[1]))
	fmt.Printf("%d tasks of one step, %d turns, a pool of %d connections, durable commits\n\n", *tasks, *rounds, *conns)
	lab.Table(rows)
	return nil
}

func ratio(name string, a, b cost) []string {
	times := func(a, b float64) string { return fmt.Sprintf("%.2f times", a/b) }
	return []string{
		name, times(a.server, b.server), times(a.client, b.client), times(a.trips, b.trips), times(a.wal, b.wal), times(a.took, b.took),
	}
}

func median(costs []cost) cost {
	of := func(value func(cost) float64) float64 {
		var values []float64
		for _, c := range costs {
			values = append(values, value(c))
		}
		slices.Sort(values)
		return values[len(values)/2]
	}
	return cost{
		of(func(c cost) float64 { return c.server }), of(func(c cost) float64 { return c.client }), of(func(c cost) float64 { return c.took }),
		of(func(c cost) float64 { return c.trips }), of(func(c cost) float64 { return c.wal }),
	}
}

// drain creates tasks and measures the cost of doing their steps.
func drain(ctx context.Context, admin *pgxpool.Pool, k kind) (c cost, err error) {
	contexts := slices.Repeat([]json.RawMessage{json.RawMessage(`{}`)}, *warm+*tasks)
	for batch := range slices.Chunk(contexts, 1000) {
		if _, err := executor.New(admin).CreateTasks(ctx, executor.TasksRequest{Namespace: "bench", Name: "book", Contexts: batch}); err != nil {
			return c, err
		}
	}
	var trips atomic.Int64
	config := admin.Config()
	config.MaxConns = int32(*conns)
	config.ConnConfig.Tracer = tracer{&trips}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return c, err
	}
	defer pool.Close()
	w, err := worker.New(pool, worker.Config{NoMaintenance: true, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return c, err
	}
	k.handle(w, pool)
	running, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- w.Run(running) }()
	completed := func(n int) error {
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		for w.Stats().Completed < int64(n) {
			select {
			case err := <-ended:
				return err
			case <-tick.C:
			}
		}
		return nil
	}
	if err := completed(*warm); err != nil {
		return c, err
	}
	first, before := w.Stats().Completed, trips.Load()
	used, err := lab.ReadCPU(ctx, admin)
	if err != nil {
		return c, err
	}
	start := time.Now()
	var took time.Duration
	wal, err := lab.WAL(ctx, admin, func() error {
		err := completed(*warm + *tasks)
		took = time.Since(start)
		return err
	})
	if err != nil {
		return c, err
	}
	last, err := lab.ReadCPU(ctx, admin)
	if err != nil {
		return c, err
	}
	used = last.Sub(used)
	n := float64(int64(*warm+*tasks) - first)
	c = cost{
		server: float64(used.Server.Microseconds()) / n, client: float64(used.Client.Microseconds()) / n,
		took: float64(took.Microseconds()) / n, trips: float64(trips.Load()-before) / n, wal: float64(wal) / n,
	}
	stop()
	return c, <-ended
}

// tracer counts statements.
type tracer struct{ n *atomic.Int64 }

func (t tracer) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	t.n.Add(1)
	return ctx
}

func (tracer) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}
