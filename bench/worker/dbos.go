package main

import (
	"context"
	"time"

	"github.com/dbos-inc/dbos-transact-golang/dbos"
	"golang.org/x/sync/errgroup"
)

// dbosConns is how many connections DBOS opens without a pool, and how many workflows run at
// the same time here.
const dbosConns = 20

// transact is DBOS Transact: workflows started directly in the process that runs them, its fastest way.
type transact struct{ *bed }

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

// prepare lets DBOS make its tables.
func (d *transact) prepare(ctx context.Context) error {
	return d.with(ctx, oneStep, func(dbos.DBOSContext) error { return nil })
}

// with launches DBOS with the workflow, calls work, and shuts it down.
func (d *transact) with(ctx context.Context, workflow dbos.Workflow[string, out], work func(ctx dbos.DBOSContext) error) error {
	pool, err := d.pool(ctx, dbosConns)
	if err != nil {
		return err
	}
	defer pool.Close()
	c, err := dbos.NewDBOSContext(ctx, dbos.Config{AppName: "bench", SystemDBPool: pool, Logger: quiet})
	if err != nil {
		return err
	}
	defer dbos.Shutdown(c, 10*time.Second)
	dbos.RegisterWorkflow(c, workflow, dbos.WithWorkflowName("bench"))
	if err := dbos.Launch(c); err != nil {
		return err
	}
	return work(c)
}

// drain runs n workflows; their start is part of the time.
func (d *transact) drain(ctx context.Context, workflow dbos.Workflow[string, out], n int) (measured cost, err error) {
	err = d.with(ctx, workflow, func(c dbos.DBOSContext) (err error) {
		measured, err = d.measure(ctx, n, func() (time.Duration, error) {
			start := time.Now()
			var group errgroup.Group
			group.SetLimit(dbosConns)
			for range n {
				group.Go(func() error { return runOne(c, workflow) })
			}
			err := group.Wait()
			return time.Since(start), err
		})
		return err
	})
	return measured, err
}

func runOne(c dbos.DBOSContext, workflow dbos.Workflow[string, out]) error {
	handle, err := dbos.RunWorkflow(c, workflow, "4711")
	if err != nil {
		return err
	}
	_, err = handle.GetResult()
	return err
}

func (d *transact) drainJobs(ctx context.Context, n int) (cost, error) {
	return d.drain(ctx, oneStep, n)
}

// drainDiamonds does the seven steps in a row, which costs DBOS no more than side by side.
func (d *transact) drainDiamonds(ctx context.Context, n int) (cost, error) {
	return d.drain(ctx, sevenStep, n)
}

func (d *transact) latencies(ctx context.Context, steps, n int) (measured delays, err error) {
	workflow := oneStep
	if steps == 5 {
		workflow = fiveSteps
	}
	err = d.with(ctx, workflow, func(c dbos.DBOSContext) error {
		return d.eachAlone(n, &measured, func() error { return runOne(c, workflow) })
	})
	return measured, err
}

func (d *transact) idle(ctx context.Context, watch func() error) error {
	return d.with(ctx, oneStep, func(dbos.DBOSContext) error { return watch() })
}
