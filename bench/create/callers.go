package main

import (
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"github.com/pgtasker/pgtasker/bench/internal/lab"
	"github.com/pgtasker/pgtasker/executor"
)

const single = `{"namespace": "bench", "name": "single", "identity_strategy": "always_unique", "steps": [{"name": "only"}]}`

// callers compares callers of CreateTask that share a call with callers that call alone, in turns of the same run. It prints
// medians of the ratios of rates and of PostgreSQL's CPU time for each task.
func callers(ctx context.Context, pool *pgxpool.Pool, turn time.Duration, turns int) ([][]string, error) {
	if _, err := executor.New(pool).RegisterTaskTemplate(ctx, json.RawMessage(single)); err != nil {
		return nil, err
	}
	config := pool.Config()
	config.MaxConns = 8
	narrow, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	defer narrow.Close()

	together := executor.New(narrow)
	// The executor treats a database that is not a pool as a transaction.
	alone := executor.New(struct{ executor.DBTX }{narrow})
	rows := [][]string{{"callers on 8 connections", "alone, tasks a second", "together", "ratio of rates", "ratio of CPU a task"}}
	for _, n := range []int{1, 8, 64} {
		var rates, costs, apart, joined []float64
		for range turns {
			a, err := create(ctx, pool, alone, n, turn)
			if err != nil {
				return nil, err
			}
			b, err := create(ctx, pool, together, n, turn)
			if err != nil {
				return nil, err
			}
			apart, joined = append(apart, a.rate), append(joined, b.rate)
			rates, costs = append(rates, b.rate/a.rate), append(costs, float64(b.cpu)/float64(a.cpu))
		}
		rows = append(rows, []string{
			fmt.Sprint(n), fmt.Sprintf("%.0f", lab.Median(apart)), fmt.Sprintf("%.0f", lab.Median(joined)),
			fmt.Sprintf("%.2f", lab.Median(rates)), fmt.Sprintf("%.2f", lab.Median(costs)),
		})
	}
	return rows, nil
}

// cost has the tasks per second, and PostgreSQL's CPU time per task.
type cost struct {
	rate float64
	cpu  time.Duration
}

func create(ctx context.Context, pool *pgxpool.Pool, e *executor.SqlFunctionExecutor, n int, turn time.Duration) (cost, error) {
	before, err := lab.ReadCPU(ctx, pool)
	if err != nil {
		return cost{}, err
	}
	var made atomic.Int64
	start := time.Now()
	var group errgroup.Group
	for range n {
		group.Go(func() error {
			for time.Since(start) < turn {
				if _, err := e.CreateTask(ctx, executor.TaskRequest{Namespace: "bench", Name: "single"}); err != nil {
					return err
				}
				made.Add(1)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return cost{}, err
	}
	elapsed := time.Since(start)
	after, err := lab.ReadCPU(ctx, pool)
	if err != nil {
		return cost{}, err
	}
	return cost{float64(made.Load()) / elapsed.Seconds(), after.Sub(before).Server / time.Duration(made.Load())}, nil
}
