package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/durable"
	"github.com/pgtasker/pgtasker/internal/jsonfit"
	"github.com/pgtasker/pgtasker/internal/lent"
	"github.com/pgtasker/pgtasker/internal/pgerr"
)

// TxHandler runs a step in a transaction of the worker's pool. The step's result is recorded in the same transaction.
type TxHandler[In, Out any] func(ctx context.Context, tx pgx.Tx, job *Job[In]) (Out, error)

// HandleTx is [Handle] for a handler whose writes to this database must happen exactly once. The writes in tx and the result are committed
// together.
//
//	worker.HandleTx(w, "book", func(ctx context.Context, tx pgx.Tx, job *worker.Job[Order]) (int64, error) {
//		var booking int64
//		err := tx.QueryRow(ctx, "insert into bookings (amount) values ($1) returning id", job.Input.Amount).Scan(&booking)
//		return booking, err
//	})
//
// If the handler or its middleware returns an error, panics or runs out of time, the transaction is rolled back, and the failure is
// recorded like the failure of any handler. The transaction is also rolled back if the step was cancelled, or no longer belongs to this
// worker when the result should be recorded. The steps that depend on the step are ready when the transaction commits.
//
// A transaction is lost if its connection breaks or if it conflicts with another transaction. A lost transaction has changed nothing, and
// the handler runs again under the same claim, with its middleware. The lost run does not count as an attempt. After 20 such runs the
// attempt fails. If only the answer to the commit is lost, the worker asks the database for the outcome of the commit.
//
// The handler must not end the transaction or ignore the error of one of its statements. Otherwise the step fails for good. With a
// savepoint, made by tx.Begin, the handler can continue after an error. Effects elsewhere happen at least once, as the effects of any
// handler. A checkpoint is stored at once, on another connection, and stays if the transaction is rolled back. Such a handler cannot make
// the calls of durable functions. Durable functions use [OnceTx] instead.
//
// The transaction begins when the input is decoded, and takes a connection of the pool until it ends. The worker bounds how many of these
// handlers run at a time, so that Config.Exchanges connections and one more stay free for its other calls. Run refuses a pool with only one
// connection.
func HandleTx[In, Out any](w *Worker, name string, handler TxHandler[In, Out], options ...HandlerOption) {
	if part := jsonfit.Unfit(reflect.TypeFor[Out]()); part != "" {
		panic(fmt.Sprintf("worker: handler %q has a result that cannot be JSON: %s", name, part))
	}
	e := &entry{name: name, code: handler, tx: true}
	for _, option := range options {
		option(e)
	}
	e.call = protected(inTransaction(handler))
	w.add(e)
}

// inTransaction is a handler that leaves its transaction open if it returns a result: middleware may still turn the result into an error.
func inTransaction[In, Out any](handler TxHandler[In, Out]) HandlerFunc {
	return func(ctx context.Context, step *Step) (raw json.RawMessage, err error) {
		step.rollback(ctx) // Middleware calls its handler again.
		step.function.inTx = true
		raw, err = typed(func(ctx context.Context, job *Job[In]) (out Out, err error) {
			err = step.lend(ctx, func(tx pgx.Tx) (err error) {
				out, err = handler(ctx, tx, job)
				return err
			})
			return out, err
		})(ctx, step)
		if err != nil {
			step.rollback(ctx) // The result is not JSON.
		}
		return raw, err
	}
}

// openTx is the transaction of a handler that has returned a result.
type openTx struct {
	mu       sync.Mutex
	tx       pgx.Tx
	settled  bool // the attempt is over: nothing is committed any longer
	recorded []func(err error)
}

// lend begins a transaction and passes it to f. The transaction stays open if f returns no error.
func (s *Step) lend(ctx context.Context, f func(tx pgx.Tx) error) error {
	tx, err := s.source.beginTx(ctx)
	switch {
	case err == nil:
	case errors.Is(err, durable.ErrNoTransactions):
		return Permanent(fmt.Errorf("handler %q has a transaction: %w", s.Handler, err))
	case pgerr.Of(err) == pgerr.Judged, ctx.Err() != nil:
		return fmt.Errorf("the transaction of handler %q: %w", s.Handler, err)
	default:
		return &lent.LostError{Err: fmt.Errorf("the transaction of handler %q: %w", s.Handler, err)}
	}
	stays := false
	defer func() {
		if !stays {
			lent.Rollback(ctx, tx)
		}
	}()
	lend := &lent.Tx{Tx: tx}
	conn := tx.Conn()
	err = lend.Judge(ctx, conn, fmt.Sprintf("handler %q", s.Handler), f(lend))
	var misuse *lent.MisuseError
	switch {
	case errors.As(err, &misuse):
		return Permanent(err)
	case err != nil:
		return err
	}
	s.open.mu.Lock()
	defer s.open.mu.Unlock()
	if !s.open.settled { // Otherwise middleware has not waited for its handler.
		s.open.tx, stays = tx, true
	}
	return nil
}

// rollback ends the transaction of a step, if one is open, without recording the result.
func (s *Step) rollback(ctx context.Context) {
	s.open.mu.Lock()
	defer s.open.mu.Unlock()
	if s.open.tx != nil {
		lent.Rollback(ctx, s.open.tx)
		s.open.tx = nil
	}
}

// WhenRecorded lets middleware wait for the commit of a handler that was registered with [HandleTx] and has returned a result. The function
// f is called when the transaction has ended, with nil if the result is committed, and otherwise with the error. If no such transaction is
// open, WhenRecorded returns false and does not call f. The result is then recorded later, with the results of other steps.
func (s *Step) WhenRecorded(f func(err error)) bool {
	if s.open == nil {
		return false
	}
	s.open.mu.Lock()
	defer s.open.mu.Unlock()
	if s.open.tx == nil {
		return false
	}
	s.open.recorded = append(s.open.recorded, f)
	return true
}

// errRecorded says that a step's result is recorded.
var errRecorded = errors.New("the result is recorded")

// refusedError says that the database refused a result, and that the writes of the handler are rolled back.
type refusedError struct{ error }

func (e refusedError) Unwrap() []error { return []error{ErrLost, e.error} }

// settle ends the transaction of a handler that has returned, with its result unless there is an error. It returns errRecorded, a
// refusedError, a lent.LostError, or the reason why the attempt fails. If no transaction is open, it returns err.
func (s *Step) settle(ctx context.Context, raw json.RawMessage, err error) error {
	s.open.mu.Lock()
	tx := s.open.tx
	s.open.tx, s.open.settled = nil, true
	s.open.mu.Unlock()
	if tx == nil {
		return err
	}
	defer lent.Rollback(ctx, tx)
	if err == nil {
		err = s.record(ctx, tx, raw)
	}
	for _, f := range s.open.recorded {
		f(err)
	}
	if err == nil {
		return errRecorded
	}
	return err
}

// record records the result in the step's transaction and commits it. The handler has done its work: for a while the end of its context
// does not end the commit.
func (s *Step) record(ctx context.Context, tx pgx.Tx, raw json.RawMessage) error {
	ctx, cancel := outlive(ctx, keepWithin)
	defer cancel()
	committing := false
	err := s.source.recordIn(ctx, s.claim(), func(ctx context.Context) error {
		if _, err := direct.New(tx).CompleteStep(ctx, s.StepUUID, s.claimNo, raw); err != nil {
			return err
		}
		committing = true
		return tx.Commit(ctx)
	})
	switch {
	case err == nil:
		return nil
	case code(err) == "TK409" && pgerr.Of(err) == pgerr.Judged:
		return refusedError{err}
	case pgerr.Of(err) == pgerr.Judged && committing:
		return err // an error of a constraint that is checked at the end
	case pgerr.Of(err) == pgerr.Judged, code(err) == "TK409": // The handler has changed the isolation level.
		return Permanent(fmt.Errorf("the database refused the result: %w", err))
	}
	return &lent.LostError{
		Err: fmt.Errorf("recording the result of handler %q: %w", s.Handler, err), Ran: true, Committing: committing && !lent.Conflicts(err),
	}
}

// again returns nil if a handler whose transaction was lost runs again, under the same claim. Otherwise it returns errRecorded, a
// refusedError, or lost.
func (s *Step) again(ctx context.Context, raw json.RawMessage, lost *lent.LostError, runs int, wait time.Duration) error {
	if !s.source.insists() {
		return lost
	}
	for {
		ended := s.source.pause(ctx, wait)
		if lost.Committing {
			var refused refusedError
			switch err := s.committed(ctx, raw); {
			case errors.Is(err, errRecorded), errors.As(err, &refused):
				return err
			case err == nil:
			case ended != nil:
				return refusedError{fmt.Errorf("what has become of the commit is not known: %w", err)}
			default:
				continue
			}
		}
		if ended != nil || runs >= lent.Runs {
			return lost
		}
		return nil
	}
}

// committed asks the database whether a result whose commit got no answer is recorded. It returns nil if the result is not recorded,
// errRecorded if it is, a refusedError if it never will be, and otherwise the error of the question.
func (s *Step) committed(ctx context.Context, raw json.RawMessage) error {
	ctx, cancel := outlive(ctx, keepWithin)
	defer cancel()
	tx, err := s.source.beginTx(ctx)
	if err != nil {
		return err
	}
	// The worker asks by recording the result and rolling back: this transaction lacks the handler's writes.
	defer lent.Rollback(ctx, tx)
	var said []gen.StepAnswer
	err = s.source.recordIn(ctx, s.claim(), func(ctx context.Context) (err error) {
		said, err = direct.New(tx).CompleteSteps(ctx, []direct.StepResult{{StepClaim: s.claim(), Results: raw}})
		return err
	})
	if err != nil {
		return err
	}
	switch answer := said[0].Answer; answer {
	case gen.ResultAnswerAlreadyComplete:
		return errRecorded
	case gen.ResultAnswerCompleted, gen.ResultAnswerRecorded:
		return nil
	case gen.ResultAnswerBusy:
		return errors.New("another transaction has the step locked")
	case gen.ResultAnswerStale, gen.ResultAnswerCancelled, gen.ResultAnswerNotFound, gen.ResultAnswerTooLarge:
		return refusedError{fmt.Errorf("the commit got no answer, and now the answer to the result is %q", answer)}
	default:
		return refusedError{fmt.Errorf("the commit got no answer, and the answer to the result is now %q, which this worker does not know", answer)}
	}
}

// placesFor returns how many handlers with a transaction run at a time on a pool: each handler has a connection, and the exchanges and the
// other calls of the worker need connections, too.
func placesFor(config Config, pool *pgxpool.Pool, entries map[string]*entry) int {
	if !slices.ContainsFunc(slices.Collect(maps.Values(entries)), func(e *entry) bool { return e.tx }) {
		return 0
	}
	return max(1, int(pool.Config().MaxConns)-config.Exchanges-1)
}

// checkPool returns an error if handlers with a transaction would wait for connections that the handlers themselves hold.
func checkPool(entries map[string]*entry, pool *pgxpool.Pool) error {
	for _, e := range entries {
		if !e.tx {
			continue
		}
		if most := pool.Config().MaxConns; most < 2 {
			return fmt.Errorf("worker: handler %q has a transaction, which takes a connection, and the worker needs another one: "+
				"the pool has %d; set pool_max_conns to 2 or more", e.name, most)
		}
	}
	return nil
}

// sayPlaces logs that handlers with a transaction have fewer places than the worker has for handlers.
func (r *run) sayPlaces() {
	wanted := 0
	for _, e := range r.entries {
		switch {
		case !e.tx:
		case e.limit > 0:
			wanted += e.limit
		default:
			wanted += r.config.Concurrency
		}
	}
	wanted = min(wanted, r.config.Concurrency)
	if most := cap(r.places); most < wanted {
		r.log.Warn("the pool is small for handlers with a transaction: each takes a connection, and others wait for one",
			"at_a_time", most, "could_run", wanted, "pool_max_conns", r.pool.Config().MaxConns, "enough", wanted+r.config.Exchanges+1)
	}
}
