package tasklib

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pgtasker/pgtasker/internal/lent"
	"github.com/pgtasker/pgtasker/internal/pgerr"
	"github.com/pgtasker/pgtasker/tasklib/gen"
)

// TxHandler is a function that runs as a task in a transaction of the client's pool, in which the task's result is recorded.
type TxHandler[Args, Result any] func(ctx context.Context, tx pgx.Tx, args Args) (Result, error)

// RegisterTx is [Register] for a function whose writes to this database are to happen exactly once: its writes in tx and
// its result are committed together.
//
//	tasklib.RegisterTx(client, "book", func(ctx context.Context, tx pgx.Tx, args Order) (id int64, err error) {
//		err = tx.QueryRow(ctx, "insert into bookings (amount) values ($1) returning id", args.Amount).Scan(&id)
//		return id, err
//	}, tasklib.Options{})
//
// If the function returns an error, panics or runs out of time, tx rolls back, and the failure is recorded as the failure of any function.
// tx also rolls back if the task no longer belongs to this worker, or was cancelled, when the result is to be recorded. A transaction is
// lost if its connection breaks or if it conflicts with another transaction. Then nothing has happened, and the function runs again under
// the same claim. The lost run does not count. After 20 lost runs the run fails.
//
// The function must not end the transaction, nor swallow the error of one of its statements: the task then fails for good. Each such
// function takes a connection of the pool while it runs. So few of them run at a time that the worker keeps three connections, and the
// others wait. Run refuses a pool of one connection.
func RegisterTx[Args, Result any](c *Client, name string, handler TxHandler[Args, Result], options Options) (*Task[Args, Result], error) {
	if handler == nil {
		return register[Args, Result](c, name, nil, true, options)
	}
	return register(c, name, func(ctx context.Context, args Args, lend lender) (out Result, err error) {
		err = lend(ctx, func(tx pgx.Tx) (err error) {
			out, err = handler(ctx, tx, args)
			return err
		})
		return out, err
	}, true, options)
}

// MustRegisterTx is [RegisterTx] for programs that cannot continue without it: it panics.
func MustRegisterTx[Args, Result any](c *Client, name string, handler TxHandler[Args, Result], options Options) *Task[Args, Result] {
	task, err := RegisterTx(c, name, handler, options)
	if err != nil {
		panic("tasklib: " + err.Error())
	}
	return task
}

// lender lends a transaction to a function.
type lender func(ctx context.Context, f func(tx pgx.Tx) error) error

// errRecorded says that a task's result is recorded.
var errRecorded = errors.New("the result is recorded")

// refusedError says that the database refused a result and that the writes of its function are rolled back.
type refusedError struct{ error }

func (e refusedError) Unwrap() error { return e.error }

// ownConnections is how many connections the worker needs for its own calls: claims, reports and housekeeping.
const ownConnections = 3

// places returns how many functions with a transaction run at a time.
func (c *Client) places() int {
	for _, name := range c.Names() {
		if c.task(name).tx {
			return max(1, int(c.pool.Config().MaxConns)-ownConnections)
		}
	}
	return 0
}

// checkPool returns an error if functions with a transaction would wait for connections that the functions themselves hold. It logs a
// warning if only few functions have a place.
func (w *Worker) checkPool() error {
	for _, name := range w.names {
		if !w.client.task(name).tx {
			continue
		}
		most := int(w.client.pool.Config().MaxConns)
		if most < 2 {
			return fmt.Errorf("tasklib: task %q has a transaction, which takes a connection, and the worker needs another one: "+
				"the pool has %d; set pool_max_conns to 2 or more", name, most)
		}
		if cap(w.places) < w.config.Concurrency {
			w.logger.Warn("the pool is small for functions with a transaction: each takes a connection, and others wait for one",
				"at_a_time", cap(w.places), "could_run", w.config.Concurrency, "pool_max_conns", most, "enough", w.config.Concurrency+ownConnections)
		}
		return nil
	}
	return nil
}

// runTx runs a function in a transaction and records its result in it, and again if the transaction is lost. It returns errRecorded, a
// refusedError, or the reason why the run fails.
func (w *Worker) runTx(ctx context.Context, h *held, r *registered) (json.RawMessage, error) {
	runs := 0
	for delay := firstDelay; ; delay = min(2*delay, maxRetry) {
		result, err := w.tryTx(ctx, h, r)
		var lost *lent.LostError
		if !errors.As(err, &lost) {
			return result, err
		}
		if lost.Ran {
			runs++
		}
		for asking := lost.Committing; asking; {
			switch committed, err := w.committed(ctx, h); {
			case committed:
				return nil, errRecorded
			case err == nil, pgerr.Of(err) != pgerr.Passing:
				asking = false // The next run is refused if the commit has happened.
			case ctx.Err() != nil:
				return nil, refusedError{fmt.Errorf("what has become of the commit is not known: %w", err)}
			default:
				w.watch.Pause(ctx, delay)
			}
		}
		w.watch.Pause(ctx, delay)
		if ctx.Err() != nil || runs >= lent.Runs {
			return nil, lost.Err
		}
	}
}

// tryTx runs a function once.
func (w *Worker) tryTx(ctx context.Context, h *held, r *registered) (json.RawMessage, error) {
	var open pgx.Tx
	defer func() {
		if open != nil {
			lent.Rollback(ctx, open)
		}
	}()
	result, err := call(ctx, r, h.task.Kwargs, func(ctx context.Context, f func(tx pgx.Tx) error) error {
		tx, err := w.places.Begin(ctx, func(ctx context.Context) (tx pgx.Tx, err error) {
			err = w.within(ctx, callTimeout, "beginning a transaction", func(ctx context.Context) (err error) {
				tx, err = w.client.pool.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.ReadCommitted})
				return err
			})
			return tx, err
		})
		switch {
		case err == nil:
		case pgerr.Of(err) == pgerr.Judged, ctx.Err() != nil:
			return err
		default:
			return &lent.LostError{Err: err}
		}
		open = tx
		lend := &lent.Tx{Tx: tx}
		conn := tx.Conn()
		err = lend.Judge(ctx, conn, fmt.Sprintf("task %q", h.task.Name), f(lend))
		var misuse *lent.MisuseError
		if errors.As(err, &misuse) {
			return Permanent(err)
		}
		return err
	})
	if err == nil && len(result) > maxResult {
		return result, nil // the caller fails the task
	}
	if err == nil {
		err = w.recordIn(ctx, open, h, result)
	}
	return result, err
}

// recordIn records a result in the function's transaction and commits it. The function has done its work, so for a while the end of its
// context does not end the commit.
func (w *Worker) recordIn(ctx context.Context, tx pgx.Tx, h *held, result json.RawMessage) error {
	ctx, cancel := longer(ctx, recordWithin)
	defer cancel()
	committing := false
	outcome := ""
	err := w.within(ctx, callTimeout, reporting, func(ctx context.Context) error {
		outcomes, err := NewFunctions(tx).CompleteTasks(ctx, gen.CompleteTasksParams{
			WorkerID: w.id, Ids: []uuid.UUID{h.task.ID}, ClaimNos: []int32{h.task.ClaimNo}, Results: []json.RawMessage{result},
		})
		if err != nil {
			return err
		}
		if outcome = outcomes[0].Outcome; outcome != "completed" {
			return nil
		}
		committing = true
		return tx.Commit(ctx)
	})
	switch {
	case err == nil && committing:
		return errRecorded
	case err == nil:
		return refusedError{fmt.Errorf("the answer to the result is %q", outcome)}
	case pgerr.Of(err) == pgerr.Judged && committing:
		return err // an error of a constraint that is checked at the end
	case pgerr.Of(err) == pgerr.Judged:
		return Permanent(fmt.Errorf("the database refused the result: %w", err))
	}
	return &lent.LostError{Err: err, Ran: true, Committing: committing && !lent.Conflicts(err)}
}

// recordWithin is how long the worker tries to record a result after the context of its function has ended.
const recordWithin = 5 * time.Second

func longer(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	return outlive(ctx, context.WithoutCancel(ctx), d)
}

// committed asks the database whether a result whose commit got no answer is recorded. If the commit is still under way, the function runs
// again. Its second result waits for the first transaction, and is refused.
func (w *Worker) committed(ctx context.Context, h *held) (bool, error) {
	ctx, cancel := longer(ctx, recordWithin)
	defer cancel()
	var details Details
	err := w.within(ctx, callTimeout, reporting, func(ctx context.Context) (err error) {
		details, err = w.functions.GetTask(ctx, h.task.ID)
		return err
	})
	return err == nil && details.State == StateCompleted && details.ClaimNo == h.task.ClaimNo, err
}
