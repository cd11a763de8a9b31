package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"github.com/pgtasker/pgtasker/bench/internal/lab"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/direct"
)

// load is a load of some connections. They create tasks of a template, and exchange a fixed number of steps in each call.
type load struct {
	template           string
	connections, batch int
}

// steps returns the number of steps of a task of the template.
func (l load) steps() int64 {
	if l.template == "single" {
		return 1
	}
	return 7
}

// tasks returns the number of tasks of the template that together have a batch of steps.
func (l load) tasks() int { return max(1, l.batch/int(l.steps())) }

var header = []string{
	"tables", "template", "connections", "steps a call", "tasks/s", "steps/s", "exchange p50",
	"CPU µs/step", "WAL B/step", "rows/step", "HOT %", "calls/step",
}

// measure creates tasks and drains them for about this duration, and returns a row of the table.
func (l load) measure(ctx context.Context, pool *pgxpool.Pool, what string, duration time.Duration) ([]string, error) {
	var steps, tasks, calls, cpu atomic.Int64
	var elapsed time.Duration
	before, err := written(ctx, pool)
	if err != nil {
		return nil, err
	}
	exchanges := make([][]time.Duration, l.connections)
	wal, err := lab.WAL(ctx, pool, func() error {
		start := time.Now()
		group, ctx := errgroup.WithContext(ctx)
		for c := range l.connections {
			group.Go(func() error {
				used, err := l.work(ctx, pool, start.Add(duration), func(took time.Duration, created, done int) {
					exchanges[c] = append(exchanges[c], took)
					tasks.Add(int64(created))
					steps.Add(int64(done))
					calls.Add(1)
				})
				cpu.Add(used.Microseconds())
				return err
			})
		}
		err := group.Wait()
		elapsed = time.Since(start)
		return err
	})
	if err != nil {
		return nil, err
	}
	after, err := written(ctx, pool)
	if err != nil {
		return nil, err
	}
	if steps.Load() != l.steps()*tasks.Load() {
		return nil, fmt.Errorf("%d steps done of %d tasks", steps.Load(), tasks.Load())
	}

	var all []time.Duration
	for _, e := range exchanges {
		all = append(all, e...)
	}
	n := float64(steps.Load())
	return []string{
		what, l.template, fmt.Sprint(l.connections), fmt.Sprint(l.batch),
		fmt.Sprintf("%.0f", float64(tasks.Load())/elapsed.Seconds()),
		fmt.Sprintf("%.0f", n/elapsed.Seconds()),
		lab.Median(all).Round(10 * time.Microsecond).String(),
		fmt.Sprintf("%.0f", float64(cpu.Load())/n),
		fmt.Sprintf("%.0f", float64(wal)/n),
		fmt.Sprintf("%.1f", float64(after.rows-before.rows)/n),
		fmt.Sprintf("%.0f", 100*float64(after.hot-before.hot)/float64(after.updates-before.updates)),
		fmt.Sprintf("%.3f", float64(calls.Load())/n),
	}, nil
}

// work runs one connection. It creates tasks until the time is over, and exchanges results for steps until no step is left. It
// returns the CPU time that its server process used.
func (l load) work(
	ctx context.Context, pool *pgxpool.Pool, until time.Time, note func(took time.Duration, created, done int),
) (time.Duration, error) {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return 0, err
	}
	defer conn.Release()
	before, err := lab.BackendCPU(ctx, conn)
	if err != nil {
		return 0, err
	}

	e := direct.New(conn)
	contexts := make([]json.RawMessage, l.tasks())
	for i := range contexts {
		contexts[i] = json.RawMessage(`{"order": 4711}`)
	}
	worker := uuid.New()
	var results []direct.StepResult
	for idle := 0; idle < 3; idle++ {
		created := 0
		if time.Now().Before(until) && len(results) < l.batch {
			_, err := e.CreateTasks(ctx, executor.TasksRequest{Namespace: "bench", Name: l.template, Contexts: contexts})
			if err != nil {
				return 0, err
			}
			created = len(contexts)
		}
		start := time.Now()
		reply, err := e.ExchangeSteps(ctx, direct.Exchange{
			Results: results,
			ClaimRequest: direct.ClaimRequest{
				Namespaces: []string{"bench"}, WorkerUUID: worker, Limit: l.batch,
			},
		})
		if err != nil {
			return 0, err
		}
		for _, answer := range reply.Answers {
			if answer.Answer != "completed" {
				return 0, errors.New(string(answer.Answer))
			}
		}
		note(time.Since(start), created, len(reply.Answers))
		results = results[:0]
		for _, step := range reply.Claimed {
			results = append(results, direct.StepResult{
				StepClaim: direct.StepClaim{StepUUID: step.StepUUID, ClaimNo: step.ClaimNo},
				Results:   json.RawMessage(`{"ok": true}`),
			})
		}
		if created > 0 || len(results) > 0 {
			idle = -1
		}
	}
	after, err := lab.BackendCPU(ctx, conn)
	return after - before, err
}

// counts are the server's writes to the tables of schema tasker since the tables were created.
type counts struct{ rows, updates, hot int64 }

func written(ctx context.Context, pool *pgxpool.Pool) (c counts, err error) {
	// A server process reports its counts within a second, and at once on request.
	for _, conn := range pool.AcquireAllIdle(ctx) {
		_, err = conn.Exec(ctx, "select pg_stat_force_next_flush()")
		conn.Release()
		if err != nil {
			return c, err
		}
	}
	err = pool.QueryRow(ctx, `
		select sum(n_tup_ins + n_tup_upd + n_tup_del)::bigint, sum(n_tup_upd)::bigint, sum(n_tup_hot_upd)::bigint
		  from pg_stat_user_tables
		 where schemaname = 'tasker'`).Scan(&c.rows, &c.updates, &c.hot)
	return c, err
}
