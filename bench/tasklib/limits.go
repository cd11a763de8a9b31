package main

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/bench/internal/lab"
	"github.com/pgtasker/pgtasker/tasklib/gen"
)

var (
	limits  = flag.Int("limits", 0, "measure tasklib alone, with so many rows in its table and then with -workers workers")
	workers = flag.Int("workers", 1000, "workers that claim and report one task at a time, for -limits")
)

// runLimits measures cases that the seed left untested: a table of millions of rows, a thousand workers, and tasks
// that take no time.
func runLimits(ctx context.Context, pool *pgxpool.Pool) error {
	s, err := newTasklib(ctx, pool)
	if err != nil {
		return err
	}
	o := s.(*ours)
	rows := [][]string{{"rows in the table", "bulk/s", "drain/s", "server CPU/task", "WAL/task", "claim p50", "p95", "report p50", "p95"}}
	for _, finished := range []int{0, *limits} {
		f := &figures{}
		if err := o.reset(ctx, finished, 0); err != nil {
			return err
		}
		if err := drain(ctx, pool, o, f); err != nil {
			return err
		}
		claims, reports, err := swarm(ctx, pool, o, 1, 2000)
		if err != nil {
			return err
		}
		rows = append(rows, []string{
			fmt.Sprint(finished), fmt.Sprintf("%.0f", f.bulk[0]), fmt.Sprintf("%.0f", f.drain[0]), show(f.serverCPU), fmt.Sprint(f.drainWAL[0]),
			share(claims, 50), share(claims, 95), share(reports, 50), share(reports, 95),
		})
	}
	lab.Table(rows)

	if err := o.reset(ctx, 0, 0); err != nil {
		return err
	}
	const each = 20
	began := time.Now()
	claims, reports, err := swarm(ctx, pool, o, *workers, *workers*each)
	if err != nil {
		return err
	}
	fmt.Printf("\n%d workers on %d connections, one task at a time: %d tasks, %.0f per second with submission, claim p50 %s p95 %s, report p50 %s p95 %s\n",
		*workers, pool.Config().MaxConns, len(claims), float64(len(claims))/time.Since(began).Seconds(),
		share(claims, 50), share(claims, 95), share(reports, 50), share(reports, 95))
	return nil
}

// swarm lets many workers claim and report one task at a time, each worker under its own name, until `total` tasks are done.
// The times of calls include the wait for a connection.
func swarm(ctx context.Context, pool *pgxpool.Pool, o *ours, workers, total int) (claims, reports []time.Duration, err error) {
	if err := o.submitMany(ctx, total); err != nil {
		return nil, nil, err
	}
	var mu sync.Mutex
	var all sync.WaitGroup
	functions := o.client.Functions()
	for n := range workers {
		all.Go(func() {
			id := fmt.Sprintf("worker-%d", n)
			for {
				began := time.Now()
				tasks, failed := functions.ClaimTasks(ctx, gen.ClaimTasksParams{Names: []string{"email"}, WorkerID: id, MaxTasks: 1})
				claimed := time.Now()
				if failed == nil && len(tasks) > 0 {
					_, failed = functions.CompleteTasks(ctx, gen.CompleteTasksParams{
						WorkerID: id, Ids: []uuid.UUID{tasks[0].ID}, ClaimNos: []int32{tasks[0].ClaimNo},
					})
				}
				done := time.Now()
				mu.Lock()
				if failed != nil {
					err = failed
				}
				if failed != nil || len(tasks) == 0 {
					mu.Unlock()
					return
				}
				claims, reports = append(claims, claimed.Sub(began)), append(reports, done.Sub(claimed))
				mu.Unlock()
			}
		})
	}
	all.Wait()
	if err == nil && len(claims) != total {
		err = fmt.Errorf("%d of %d tasks were done", len(claims), total)
	}
	return claims, reports, err
}

func share(durations []time.Duration, percent int) string {
	slices.Sort(durations)
	return durations[len(durations)*percent/100].Round(10 * time.Microsecond).String()
}
