// Package sqlsteps drives the steps that are functions of the database, for workers and orchestrators.
package sqlsteps

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgerr"
)

const (
	// most is the largest number of steps in a call. With so many steps the call itself costs little per step, and yet a failed
	// call repeats little work.
	most = 25
	// idle is the pause of a namespace whose steps have all run. unbound is the time between two checks whether a role is
	// bound.
	idle    = time.Second
	unbound = 15 * time.Second
)

// Beginner begins transactions, as a pool does.
type Beginner interface {
	BeginTx(ctx context.Context, options pgx.TxOptions) (pgx.Tx, error)
}

// Driver runs the SQL steps of namespaces.
type Driver struct {
	DB Beginner
	// Namespaces are the namespaces whose steps the driver runs. Default: all namespaces that have a bound role and
	// in which the login may work.
	Namespaces []string
	Logger     *slog.Logger
}

// Run runs SQL steps until ctx ends. Calls run under the context calls, which may end later than ctx. A call that is cut off is
// rolled back. If the call had only one step, the step's attempt has failed. Steps that must be alone in a call have a loop of
// their own, so that a long step delays only other steps of that loop.
func (d *Driver) Run(ctx, calls context.Context) {
	var loops sync.WaitGroup
	loops.Go(func() { d.loop(ctx, calls, d.batch) })
	loops.Go(func() { d.loop(ctx, calls, d.alone) })
	loops.Wait()
}

func (d *Driver) loop(ctx, calls context.Context, turn func(ctx context.Context) (more bool, err error)) {
	timer := time.NewTimer(jittered(idle))
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		var pause time.Duration
		bound, err := d.bound(calls)
		more := bound && err == nil
		for more && err == nil && ctx.Err() == nil {
			more, err = turn(calls)
		}
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			d.Logger.WarnContext(ctx, "SQL steps could not run; trying again", "error", err)
			pause = unbound
			if pgerr.Of(err) == pgerr.Passing {
				pause = idle
			}
		case bound:
			pause = idle
		default:
			pause = unbound
		}
		timer.Reset(jittered(pause))
	}
}

// bound reports whether a namespace of the driver has a role for its SQL steps.
func (d *Driver) bound(ctx context.Context) (bound bool, err error) {
	err = d.transaction(ctx, func(ctx context.Context, e *executor.SqlFunctionExecutor) error {
		functions, err := e.ListSQLFunctions(ctx, "")
		for _, f := range functions {
			bound = bound || f.Role != nil && f.Function != nil
		}
		return err
	})
	return bound, err
}

// batch claims steps and runs them.
func (d *Driver) batch(ctx context.Context) (more bool, err error) {
	err = d.transaction(ctx, func(ctx context.Context, e *executor.SqlFunctionExecutor) error {
		done, err := e.RunSQLSteps(ctx, most, d.Namespaces)
		more = done.More
		return err
	})
	return more, err
}

// alone runs a step that must be alone in its call, under the step's time-out.
func (d *Driver) alone(ctx context.Context) (more bool, err error) {
	err = d.transaction(ctx, func(ctx context.Context, e *executor.SqlFunctionExecutor) error {
		chosen, err := e.BeginSQLStep(ctx, d.Namespaces)
		if err != nil || !chosen {
			return err
		}
		done, err := e.RunSQLSteps(ctx, 1, d.Namespaces)
		more = done.More
		return err
	})
	return more, err
}

func (d *Driver) transaction(ctx context.Context, do func(ctx context.Context, e *executor.SqlFunctionExecutor) error) error {
	tx, err := d.DB.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.ReadCommitted})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
	if err := do(ctx, executor.New(tx)); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

func jittered(pause time.Duration) time.Duration { return pause - pause/10 + rand.N(pause/5) }
