package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/answers"
	"github.com/pgtasker/pgtasker/internal/durable"
	"github.com/pgtasker/pgtasker/internal/pgerr"
)

// OnceTx is [Once] for effects in this database: f gets a transaction in which its result is kept, so that the effects happen
// exactly once. If the transaction is lost, with its connection or to a conflict with another one, nothing has happened, and f
// runs again. It must not end the transaction, nor swallow the error of one of its statements: the step then fails for good.
func OnceTx[R any](
	ctx context.Context, job AnyJob, name string, f func(ctx context.Context, tx pgx.Tx) (R, error), options ...OnceOption,
) (R, error) {
	return once[R](ctx, job, name, options, func(ctx context.Context, s *Step, call executor.KeptCall) (keptResult, error) {
		return s.transact(ctx, call, func(ctx context.Context, tx pgx.Tx) (json.RawMessage, error) {
			value, err := f(ctx, tx)
			if err != nil {
				return nil, err
			}
			return result(s, name, value), nil
		})
	})
}

// DoTx is [OnceTx] for a call without a result.
func DoTx(ctx context.Context, job AnyJob, name string, f func(ctx context.Context, tx pgx.Tx) error, options ...OnceOption) error {
	_, err := OnceTx(ctx, job, name, func(ctx context.Context, tx pgx.Tx) (struct{}, error) {
		return struct{}{}, f(ctx, tx)
	}, options...)
	return err
}

// txRuns is how often a function runs whose transactions are lost, until the attempt fails: it may be the cause.
const txRuns = 20

// inTx is the function of a OnceTx.
type inTx func(ctx context.Context, tx pgx.Tx) (json.RawMessage, error)

// lostTx says that a transaction was lost, which is no error of its function. What has become of its commit may be unknown.
type lostTx struct {
	error
	ran bool // the function
}

func (e lostTx) Unwrap() error { return e.error }

// transact runs f in a transaction that keeps its result, and again if the transaction is lost. It returns an error of f.
func (s *Step) transact(ctx context.Context, call executor.KeptCall, f inTx) (keptResult, error) {
	world := s.function.world
	runs := 0
	for wait := firstRetry; ; wait = min(2*wait, maxRetry) {
		answer, err := s.tryTx(ctx, call, f)
		var lost lostTx
		if !errors.As(err, &lost) {
			if err != nil {
				return keptResult{}, err
			}
			return s.took(call, answer, nil), nil
		}
		if lost.ran {
			runs++
		}
		if !world.Insists() || runs >= txRuns || s.ctx.Err() != nil {
			s.stop(fmt.Errorf("the transaction of %q: %w", call.Name, lost.error))
		}
		if err := s.pause(ctx, jittered(wait)); err != nil {
			return keptResult{}, err
		}
		if kept, found := s.lookUp(call, lost); found {
			return kept, nil
		}
	}
}

// lookUp returns what is kept of a call whose commit had no answer.
func (s *Step) lookUp(call executor.KeptCall, lost lostTx) (kept keptResult, found bool) {
	if !lost.ran {
		return kept, false
	}
	page, err := s.function.world.GetKeptResults(s.ctx, s.StepUUID, call.Position-1, 1)
	if err != nil {
		s.stop(fmt.Errorf("what step %q has kept: %w", s.Name, err))
	}
	if len(page) == 0 {
		return kept, false
	}
	answer := executor.KeptAnswer{Answer: answers.KeptBefore, Value: page[0].Value, Error: page[0].Error}
	if page[0].Name != call.Name || page[0].Occurrence != call.Occurrence {
		answer.Answer = answers.KeptDiverged
	}
	return s.took(call, answer, nil), true
}

// tryTx runs f in one transaction. The error is a lostTx, or of f. What the function must not do ends the run.
func (s *Step) tryTx(ctx context.Context, call executor.KeptCall, f inTx) (answer executor.KeptAnswer, err error) {
	world := s.function.world
	tx, err := world.Begin(ctx)
	switch {
	case err == nil:
	case errors.Is(err, durable.ErrNoTransactions), pgerr.Of(err) == pgerr.Judged:
		s.stop(fmt.Errorf("the transaction of %q: %w", call.Name, err))
	case ctx.Err() != nil:
		return answer, err
	default:
		return answer, lostTx{error: err}
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rollbackWithin)
		defer cancel()
		_ = tx.Rollback(ctx)
	}()

	lent := &lentTx{Tx: tx}
	conn := tx.Conn()
	raw, err := f(ctx, lent)
	if err = s.judgeTx(ctx, call, lent, conn, err); err != nil {
		return answer, err
	}
	answer, err = world.KeepIn(s.ctx, tx, s.claim(), call, raw)
	if err == nil && answer.Answer != answers.KeptNow {
		return answer, nil // it is kept already
	}
	if err == nil {
		if err = tx.Commit(s.ctx); err != nil && pgerr.Of(err) == pgerr.Judged {
			return answer, err // of a constraint that is checked at the end
		}
	}
	switch {
	case err == nil:
	case code(err) == "TK409":
		s.stop(Permanent(fmt.Errorf("the transaction of %q: %w", call.Name, err)))
	case pgerr.Of(err) == pgerr.Judged, errors.Is(err, ErrLost), errors.Is(err, ErrCancelled):
		s.took(call, answer, err) // ends the run
	default:
		err = lostTx{error: err, ran: true}
	}
	return answer, err
}

// rollbackWithin bounds the end of a transaction that is of no use: its connection may be silent.
const rollbackWithin = 5 * time.Second

// judgeTx judges a transaction whose function has returned err.
func (s *Step) judgeTx(ctx context.Context, call executor.KeptCall, lent *lentTx, conn *pgx.Conn, err error) error {
	status := byte('T')
	if conn != nil && !lent.ended {
		status = conn.PgConn().TxStatus()
	}
	switch {
	case conn != nil && conn.IsClosed():
		// A statement that its context ends takes the connection with it.
		if ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
			if err == nil {
				err = context.Cause(ctx)
			}
			return err
		}
		return lostTx{error: errors.Join(errors.New("its connection was lost"), err), ran: true}
	case lent.ended, status == 'I':
		s.stop(Permanent(errors.Join(fmt.Errorf("the function of OnceTx(%q) ended its transaction, which keeps its result and ends by itself",
			call.Name), err)))
	case conflicts(err):
		return lostTx{error: err, ran: true}
	case err == nil && status == 'E':
		s.stop(Permanent(fmt.Errorf("a statement of OnceTx(%q) failed, and its function returned no error; a savepoint "+
			"(tx.Begin) lets it go on after an error", call.Name)))
	}
	return err
}

// conflicts says whether a transaction was rolled back for the sake of another one.
func conflicts(err error) bool {
	var pgErr *pgconn.PgError
	return errors.As(err, &pgErr) && len(pgErr.Code) == 5 && pgErr.Code[:2] == "40"
}

// lentTx is a transaction that its borrower must not end.
type lentTx struct {
	pgx.Tx
	ended bool
}

var errLent = errors.New("the transaction of OnceTx ends by itself, when its function has returned")

func (t *lentTx) Commit(context.Context) error {
	t.ended = true
	return errLent
}

func (t *lentTx) Rollback(context.Context) error {
	t.ended = true
	return errLent
}
