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
)

// load is so many connections that exchange so many steps a call.
type load struct{ connections, batch int }

var header = []string{
	"connections", "steps a call", "diamonds per second", "steps per second", "exchange p50", "WAL bytes per step", "calls per step",
}

// measure creates diamonds and drains them, about as long as asked, and returns a row of the table.
func (l load) measure(ctx context.Context, pool *pgxpool.Pool, duration time.Duration) ([]string, error) {
	var steps, tasks, calls atomic.Int64
	var elapsed time.Duration
	exchanges := make([][]time.Duration, l.connections)
	wal, err := lab.WAL(ctx, pool, func() error {
		start := time.Now()
		group, ctx := errgroup.WithContext(ctx)
		for c := range l.connections {
			group.Go(func() error {
				return l.work(ctx, pool, start.Add(duration), func(took time.Duration, created, done int) {
					exchanges[c] = append(exchanges[c], took)
					tasks.Add(int64(created))
					steps.Add(int64(done))
					calls.Add(1)
				})
			})
		}
		err := group.Wait()
		elapsed = time.Since(start)
		return err
	})
	if err != nil {
		return nil, err
	}
	var all []time.Duration
	for _, e := range exchanges {
		all = append(all, e...)
	}
	if steps.Load() != 7*tasks.Load() {
		return nil, fmt.Errorf("%d steps done of %d diamonds", steps.Load(), tasks.Load())
	}
	return []string{
		fmt.Sprint(l.connections), fmt.Sprint(l.batch),
		fmt.Sprintf("%.0f", float64(tasks.Load())/elapsed.Seconds()),
		fmt.Sprintf("%.0f", float64(steps.Load())/elapsed.Seconds()),
		lab.Median(all).Round(10 * time.Microsecond).String(),
		fmt.Sprint(wal / steps.Load()),
		fmt.Sprintf("%.3f", float64(calls.Load())/float64(steps.Load())),
	}, nil
}

// work is one connection: it creates diamonds while there is time, and exchanges results for steps until
// nothing is left.
func (l load) work(
	ctx context.Context, pool *pgxpool.Pool, until time.Time, note func(took time.Duration, created, done int),
) error {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	e := executor.New(conn)
	contexts := make([]json.RawMessage, max(1, l.batch/7))
	for i := range contexts {
		contexts[i] = json.RawMessage(`{"order": 4711}`)
	}
	worker := uuid.New()
	var results []executor.StepResult
	for idle := 0; idle < 3; {
		created := 0
		start := time.Now()
		if time.Now().Before(until) && len(results) < l.batch {
			if _, err := e.CreateTasks(ctx, executor.TasksRequest{Namespace: "bench", Name: "diamond", Contexts: contexts}); err != nil {
				return err
			}
			created = len(contexts)
		}
		reply, err := e.ExchangeSteps(ctx, executor.Exchange{
			Results:      results,
			ClaimRequest: executor.ClaimRequest{WorkerUUID: worker, Limit: l.batch},
		})
		if err != nil {
			return err
		}
		for _, answer := range reply.Answers {
			if answer.Answer != "completed" {
				return errors.New(answer.Answer)
			}
		}
		note(time.Since(start), created, len(reply.Answers))
		results = results[:0]
		for _, step := range reply.Claimed {
			results = append(results, executor.StepResult{
				StepClaim: executor.StepClaim{StepUUID: step.StepUUID, ClaimNo: step.ClaimNo},
				Results:   json.RawMessage(`{"ok": true}`),
			})
		}
		idle++
		if created > 0 || len(results) > 0 {
			idle = 0
		}
	}
	return nil
}
