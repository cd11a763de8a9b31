package main

import (
	"context"
	"time"

	"github.com/dbos-inc/dbos-transact-golang/dbos"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"
)

// tx is what River calls a transaction.
type tx = pgx.Tx

// transact is DBOS Transact: workflows started directly in the process that runs them, its fastest way.
type transact struct{ pool *pgxpool.Pool }

func (d *transact) name() string { return "dbos" }

func noop(context.Context) (out, error) { return out{OK: true}, nil }

// inARow is a workflow of n steps, one after the other.
func inARow(n int) func(ctx dbos.DBOSContext, input string) (out, error) {
	return func(ctx dbos.DBOSContext, _ string) (result out, err error) {
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

// with launches DBOS with the workflow and calls work.
func (d *transact) with(
	ctx context.Context, workflow dbos.Workflow[string, out], work func(ctx dbos.DBOSContext) (time.Duration, error),
) (time.Duration, error) {
	c, err := dbos.NewDBOSContext(ctx, dbos.Config{AppName: "bench", SystemDBPool: d.pool, Logger: quiet})
	if err != nil {
		return 0, err
	}
	dbos.RegisterWorkflow(c, workflow, dbos.WithWorkflowName("bench"))
	if err := dbos.Launch(c); err != nil {
		return 0, err
	}
	return work(c)
}

// drain runs n workflows, 12 at a time, as many as the pool has connections.
func (d *transact) drain(ctx context.Context, workflow dbos.Workflow[string, out], n int) (time.Duration, error) {
	return d.with(ctx, workflow, func(c dbos.DBOSContext) (time.Duration, error) {
		start := time.Now()
		var group errgroup.Group
		group.SetLimit(12)
		for range n {
			group.Go(func() error {
				handle, err := dbos.RunWorkflow(c, workflow, "4711")
				if err != nil {
					return err
				}
				_, err = handle.GetResult()
				return err
			})
		}
		err := group.Wait()
		return time.Since(start), err
	})
}

func (d *transact) drainJobs(ctx context.Context, n int) (time.Duration, error) {
	took, err := d.drain(ctx, oneStep, n/20)
	return took * 20, err
}

func (d *transact) drainDiamonds(ctx context.Context, n int) (time.Duration, error) {
	return d.drain(ctx, sevenStep, n)
}

func (d *transact) latencies(ctx context.Context, steps, n int) (times []time.Duration, err error) {
	workflow := oneStep
	if steps == 5 {
		workflow = fiveSteps
	}
	_, err = d.with(ctx, workflow, func(c dbos.DBOSContext) (time.Duration, error) {
		for i := range n + 20 {
			time.Sleep(40 * time.Millisecond)
			start := time.Now()
			handle, err := dbos.RunWorkflow(c, workflow, "4711")
			if err != nil {
				return 0, err
			}
			if _, err := handle.GetResult(); err != nil {
				return 0, err
			}
			if i >= 20 {
				times = append(times, time.Since(start))
			}
		}
		return 0, nil
	})
	return times, err
}
