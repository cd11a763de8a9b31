package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"github.com/pgtasker/pgtasker/executor"
)

// fill runs this number of tasks of one step to their end. It also creates half as many steps in another namespace, where they
// wait, since no worker serves this namespace.
func fill(ctx context.Context, pool *pgxpool.Pool, tasks int) error {
	start := time.Now()
	for left := tasks; left > 0; left -= 100_000 {
		if err := create(ctx, pool, "bench", min(left, 100_000)); err != nil {
			return err
		}
		var group errgroup.Group
		for range 2 {
			group.Go(func() error {
				_, err := load{"single", 1, 1000}.work(ctx, pool, time.Time{}, func(time.Duration, int, int) {})
				return err
			})
		}
		if err := group.Wait(); err != nil {
			return err
		}
	}
	waiting := `{"namespace": "later", "name": "single", "identity_strategy": "always_unique", "steps": [{"name": "only"}]}`
	if _, err := executor.New(pool).RegisterTaskTemplate(ctx, json.RawMessage(waiting)); err != nil {
		return err
	}
	if err := create(ctx, pool, "later", tasks/2); err != nil {
		return err
	}
	fmt.Printf("%d tasks run, %d steps left waiting, in %s\n", tasks, tasks/2, time.Since(start).Round(time.Second))
	return nil
}

// create creates this number of tasks of one step, a thousand in a call.
func create(ctx context.Context, pool *pgxpool.Pool, namespace string, tasks int) error {
	e := executor.New(pool)
	for ; tasks > 0; tasks -= 1000 {
		contexts := make([]json.RawMessage, min(tasks, 1000))
		if _, err := e.CreateTasks(ctx, executor.TasksRequest{Namespace: namespace, Name: "single", Contexts: contexts}); err != nil {
			return err
		}
	}
	return nil
}
