package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/durable"
	"github.com/pgtasker/pgtasker/internal/lent"
	"github.com/pgtasker/pgtasker/internal/pgerr"
)

// OnceTx is [Once] for effects in this database. The function f gets the transaction in which its result is kept, so that its writes there
// happen exactly once. A transaction is lost if its connection breaks or if it conflicts with another transaction. A lost transaction has
// changed nothing, and f runs again. The function f must not end the transaction or ignore the error of one of its statements. Otherwise
// the step fails for good.
func OnceTx[R any](
	ctx context.Context, job AnyJob, name string, f func(ctx context.Context, tx pgx.Tx) (R, error), options ...OnceOption,
) (R, error) {
	return once[R](ctx, job, name, options, func(ctx context.Context, s *Step, call direct.KeptCall) (keptResult, error) {
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

// inTx is the function type of OnceTx.
type inTx func(ctx context.Context, tx pgx.Tx) (json.RawMessage, error)

// transact runs f in a transaction that keeps its result, and again if the transaction is lost. It returns an error of f.
func (s *Step) transact(ctx context.Context, call direct.KeptCall, f inTx) (keptResult, error) {
	world := s.function.world
	runs := 0
	for wait := firstRetry; ; wait = min(2*wait, maxRetry) {
		answer, err := s.tryTx(ctx, call, f)
		var lost *lent.LostError
		if !errors.As(err, &lost) {
			if err != nil {
				return keptResult{}, err
			}
			return s.took(call, answer, nil), nil
		}
		if lost.Ran {
			runs++
		}
		if !world.Insists() || runs >= lent.Runs || s.ctx.Err() != nil {
			s.stop(fmt.Errorf("the transaction of %q: %w", call.Name, lost.Err))
		}
		if err := s.pause(ctx, jittered(wait)); err != nil {
			return keptResult{}, err
		}
		if kept, found := s.lookUp(call, lost); found {
			return kept, nil
		}
	}
}

// lookUp returns the kept result of a call whose commit got no answer.
func (s *Step) lookUp(call direct.KeptCall, lost *lent.LostError) (kept keptResult, found bool) {
	if !lost.Ran {
		return kept, false
	}
	page, err := s.function.world.GetKeptResults(s.ctx, s.StepUUID, call.Position-1, 1)
	if err != nil {
		s.stop(fmt.Errorf("what step %q has kept: %w", s.Name, err))
	}
	if len(page) == 0 {
		return kept, false
	}
	answer := gen.KeptAnswer{Answer: gen.CallAnswerKnown, Value: page[0].Value, Error: page[0].Error}
	if page[0].Name != call.Name || page[0].Occurrence != call.Occurrence {
		answer.Answer = gen.CallAnswerDiverged
	}
	return s.took(call, answer, nil), true
}

// tryTx runs f in one transaction. The error is a lent.LostError, or an error of f. A forbidden action of the function ends the run.
func (s *Step) tryTx(ctx context.Context, call direct.KeptCall, f inTx) (answer gen.KeptAnswer, err error) {
	world := s.function.world
	tx, err := world.Begin(ctx)
	switch {
	case err == nil:
	case errors.Is(err, durable.ErrNoTransactions), pgerr.Of(err) == pgerr.Judged:
		s.stop(fmt.Errorf("the transaction of %q: %w", call.Name, err))
	case ctx.Err() != nil:
		return answer, err
	default:
		return answer, &lent.LostError{Err: err}
	}
	defer lent.Rollback(ctx, tx)

	lend := &lent.Tx{Tx: tx}
	conn := tx.Conn()
	raw, err := f(ctx, lend)
	if err = lend.Judge(ctx, conn, fmt.Sprintf("OnceTx(%q)", call.Name), err); err != nil {
		var misuse *lent.MisuseError
		if errors.As(err, &misuse) {
			s.stop(Permanent(err))
		}
		return answer, err
	}
	answer, err = world.KeepIn(s.ctx, tx, s.claim(), call, raw)
	if err == nil && answer.Answer != gen.CallAnswerKept {
		return answer, nil // the result is already kept
	}
	if err == nil {
		if err = tx.Commit(s.ctx); err != nil && pgerr.Of(err) == pgerr.Judged {
			return answer, err // an error of a constraint that is checked at the end
		}
	}
	switch {
	case err == nil:
	case code(err) == "TK409":
		s.stop(Permanent(fmt.Errorf("the transaction of %q: %w", call.Name, err)))
	case pgerr.Of(err) == pgerr.Judged, errors.Is(err, ErrLost), errors.Is(err, ErrCancelled):
		s.took(call, answer, err) // ends the run
	default:
		err = &lent.LostError{Err: err, Ran: true}
	}
	return answer, err
}
