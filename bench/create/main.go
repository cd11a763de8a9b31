// Command create measures the creation of tasks. One connection and two connections create diamonds of seven steps, with one
// diamond or a hundred diamonds in a call. It also compares callers that share a call with callers that call alone:
//
//	make bench-create
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"github.com/pgtasker/pgtasker/bench/internal/lab"
	"github.com/pgtasker/pgtasker/executor"
)

// The diamond of the design has one step, five steps in parallel, and a step that joins them.
const diamond = `{
  "namespace": "bench", "name": "diamond",
  "steps": [
    {"name": "top"},
    {"name": "a", "dependencies": ["top"]}, {"name": "b", "dependencies": ["top"]},
    {"name": "c", "dependencies": ["top"]}, {"name": "d", "dependencies": ["top"]},
    {"name": "e", "dependencies": ["top"]},
    {"name": "bottom", "dependencies": ["a", "b", "c", "d", "e"]}
  ]
}`

func main() {
	seconds := flag.Int("seconds", 5, "how long each row is measured")
	flag.Parse()
	lab.Run(func(ctx context.Context, pool *pgxpool.Pool) error {
		if _, err := executor.New(pool).RegisterTaskTemplate(ctx, json.RawMessage(diamond)); err != nil {
			return err
		}
		rows := [][]string{{"connections", "diamonds a call", "diamonds per second", "calls p50", "WAL bytes per diamond", "rows per diamond"}}
		for _, connections := range []int{1, 2} {
			for _, batch := range []int{1, 100} {
				row, err := measure(ctx, pool, connections, batch, time.Duration(*seconds)*time.Second)
				if err != nil {
					return err
				}
				rows = append(rows, row)
			}
		}
		lab.Table(rows)
		rows, err := callers(ctx, pool, time.Duration(*seconds)*time.Second/5, 5)
		if err != nil {
			return err
		}
		lab.Table(rows)
		return nil
	})
}

// measure creates diamonds for some time and returns a row of the table.
func measure(ctx context.Context, pool *pgxpool.Pool, connections, batch int, duration time.Duration) ([]string, error) {
	before, err := inserted(ctx, pool)
	if err != nil {
		return nil, err
	}
	made := make([]int, connections)
	calls := make([][]time.Duration, connections)
	var elapsed time.Duration
	wal, err := lab.WAL(ctx, pool, func() error {
		start := time.Now()
		var group errgroup.Group
		for c := range connections {
			group.Go(func() error {
				e := executor.New(pool)
				for time.Since(start) < duration {
					contexts := make([]json.RawMessage, batch)
					for i := range contexts {
						contexts[i] = fmt.Appendf(nil, `{"run": %d, "n": %d}`, start.UnixNano(), c*1_000_000_000+made[c]+i)
					}
					called := time.Now()
					rows, err := e.CreateTasks(ctx, executor.TasksRequest{Namespace: "bench", Name: "diamond", Contexts: contexts})
					if err != nil {
						return err
					}
					calls[c] = append(calls[c], time.Since(called))
					for _, row := range rows {
						if !row.Created {
							return fmt.Errorf("task %s was not created", row.TaskUUID)
						}
					}
					made[c] += batch
				}
				return nil
			})
		}
		err := group.Wait()
		elapsed = time.Since(start)
		return err
	})
	if err != nil {
		return nil, err
	}
	after, err := inserted(ctx, pool)
	if err != nil {
		return nil, err
	}
	total := 0
	var all []time.Duration
	for c := range connections {
		total += made[c]
		all = append(all, calls[c]...)
	}
	return []string{
		fmt.Sprint(connections), fmt.Sprint(batch),
		fmt.Sprintf("%.0f", float64(total)/elapsed.Seconds()),
		lab.Median(all).Round(10 * time.Microsecond).String(),
		fmt.Sprint(wal / int64(total)),
		fmt.Sprintf("%.1f", float64(after-before)/float64(total)),
	}, nil
}

// inserted returns the number of rows that the creation of tasks has left, in all tables that a creation writes.
func inserted(ctx context.Context, pool *pgxpool.Pool) (rows int64, err error) {
	err = pool.QueryRow(ctx, `
		select (select count(*) from tasker.tasks) + (select count(*) from tasker.workflow_steps)
		     + (select count(*) from tasker.added_step_edges) + (select count(*) from tasker.step_queue)
		     + (select count(*) from tasker.task_log) + (select count(*) from tasker.step_log)
		     + (select count(*) from tasker.task_identities)`).Scan(&rows)
	return rows, err
}
