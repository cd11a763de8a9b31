package main

import (
	"context"
	"errors"
	"time"

	"github.com/dbos-inc/dbos-transact-golang/dbos"
	"golang.org/x/sync/errgroup"
)

// dbosConns is the number of connections that DBOS opens without a pool. This benchmark runs as many workflows at the same
// time.
const dbosConns = 20

// transact is DBOS Transact. Its workflows are started directly in the process that runs them, which is the fastest way, or
// through a queue, from which any process of the application takes them.
type transact struct {
	*bed
	queued bool
}

func (d *transact) name() string {
	if d.queued {
		return "dbos-queue"
	}
	return "dbos"
}

// queuePolls is the time between two polls of DBOS. The default is a second. With a shorter time than this the queue drained
// more slowly.
const queuePolls = 5 * time.Millisecond

func noop(context.Context) (out, error) { return out{OK: true}, nil }

// inARow is a workflow of n steps, one after the other.
func inARow(n int) func(ctx dbos.Context, input string) (out, error) {
	return func(ctx dbos.Context, _ string) (result out, err error) {
		for range n {
			if result, err = dbos.RunAsStep(ctx, noop); err != nil {
				return result, err
			}
		}
		return result, nil
	}
}

var (
	oneStep   = inARow(1)
	fiveSteps = inARow(5)
	sevenStep = inARow(7)
)

// prepare lets DBOS make its tables.
func (d *transact) prepare(ctx context.Context) error {
	return d.with(ctx, oneStep, func(start) error { return nil })
}

// start has DBOS and the options with which a workflow is started.
type start struct {
	dbos.Context
	options []dbos.WorkflowOption
}

// with launches DBOS with the workflow, calls work, and shuts it down.
func (d *transact) with(ctx context.Context, workflow dbos.Workflow[string, out], work func(s start) error) error {
	pool, err := d.pool(ctx, dbosConns)
	if err != nil {
		return err
	}
	defer pool.Close()
	c, err := dbos.NewContext(ctx, dbos.Config{AppName: "bench", SystemDBPool: pool, Logger: quiet})
	if err != nil {
		return err
	}
	defer func() { _ = dbos.Shutdown(c, 10*time.Second) }()
	dbos.RegisterWorkflow(c, workflow, dbos.WithWorkflowName("bench"))
	if err := dbos.Launch(c); err != nil {
		return err
	}
	s := start{Context: c}
	if d.queued {
		queue, err := dbos.RegisterQueue(c, "bench", dbos.WithQueueBasePollingInterval(queuePolls))
		if err != nil {
			return err
		}
		s.options = []dbos.WorkflowOption{dbos.WithQueue(queue)}
	}
	return work(s)
}

// drain runs n workflows. The time includes the start of the workflows, except with the queue, in which they were enqueued
// before.
func (d *transact) drain(ctx context.Context, workflow dbos.Workflow[string, out], n int) (measured cost, err error) {
	if d.queued {
		return d.drainQueue(ctx, workflow, n)
	}
	err = d.with(ctx, workflow, func(s start) (err error) {
		measured, err = d.measure(ctx, n, func() (time.Duration, error) {
			began := time.Now()
			var group errgroup.Group
			group.SetLimit(dbosConns)
			for range n {
				group.Go(func() error { return runOne(s, workflow) })
			}
			err := group.Wait()
			return time.Since(began), err
		})
		return err
	})
	return measured, err
}

func (d *transact) drainQueue(ctx context.Context, workflow dbos.Workflow[string, out], n int) (measured cost, err error) {
	pool, err := d.pool(ctx, dbosConns) // the client closes it
	if err != nil {
		return measured, err
	}
	client, err := dbos.NewClient(ctx, dbos.ClientConfig{AppName: "bench", SystemDBPool: pool, Logger: quiet})
	if err != nil {
		return measured, err
	}
	var group errgroup.Group
	group.SetLimit(8)
	for range n {
		group.Go(func() error {
			_, err := dbos.Enqueue[out](client, "bench", "bench", "4711")
			return err
		})
	}
	if err := errors.Join(group.Wait(), dbos.Shutdown(client, 10*time.Second)); err != nil {
		return measured, err
	}
	if _, err := d.admin.Exec(ctx, "vacuum analyze"); err != nil {
		return measured, err
	}
	return d.measure(ctx, n, func() (took time.Duration, err error) {
		began := time.Now()
		err = d.with(ctx, workflow, func(start) error {
			for left := 1; left > 0; time.Sleep(2 * time.Millisecond) {
				const open = "select count(*) from dbos.workflow_status where status in ('ENQUEUED', 'PENDING')"
				if err := d.admin.QueryRow(ctx, open).Scan(&left); err != nil {
					return err
				}
				took = time.Since(began)
			}
			return nil
		})
		return took, err
	})
}

func runOne(s start, workflow dbos.Workflow[string, out]) error {
	handle, err := dbos.RunWorkflow(s.Context, workflow, "4711", s.options...)
	if err != nil {
		return err
	}
	// Without a queue the result comes from within this process. With a queue DBOS reads the result from the
	// database.
	_, err = handle.GetResult(dbos.WithHandlePollingInterval(2 * time.Millisecond))
	return err
}

func (d *transact) drainJobs(ctx context.Context, n int) (cost, error) {
	return d.drain(ctx, oneStep, n)
}

// drainDiamonds runs the seven steps one after the other, which costs DBOS no more than to run them in parallel.
func (d *transact) drainDiamonds(ctx context.Context, n int) (cost, error) {
	return d.drain(ctx, sevenStep, n)
}

func (d *transact) latencies(ctx context.Context, steps, n int) (measured delays, err error) {
	workflow := oneStep
	if steps == 5 {
		workflow = fiveSteps
	}
	err = d.with(ctx, workflow, func(s start) error {
		return d.eachAlone(n, &measured, func() error { return runOne(s, workflow) })
	})
	return measured, err
}

func (d *transact) idle(ctx context.Context, watch func() error) error {
	return d.with(ctx, oneStep, func(start) error { return watch() })
}
