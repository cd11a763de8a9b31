package worker

import (
	"context"
	"errors"

	"github.com/pgtasker/pgtasker/internal/lent"
)

// Outcome is how an attempt at a step ended, for middleware that logs, traces or counts.
type Outcome string

// The outcomes of an attempt.
const (
	// OutcomeSuccess means that the handler returned a result.
	OutcomeSuccess Outcome = "success"
	// OutcomeFailure means that the handler returned an error. The step is tried again if it has attempts left.
	OutcomeFailure Outcome = "failure"
	// OutcomePermanent means that the handler returned an error marked with [Permanent].
	OutcomePermanent Outcome = "permanent"
	// OutcomePanic means that the handler panicked. The step is tried again as after any error.
	OutcomePanic Outcome = "panic"
	// OutcomeTimeout means that the handler returned an error after the step's timeout. The step is tried again as after any error.
	OutcomeTimeout Outcome = "timeout"
	// OutcomeCancelled means that the step was cancelled meanwhile, or that its task is being undone. During an undo the database decides
	// whether the result counts. OutcomeLost means that the step no longer belongs to this worker, so that its result is dropped.
	OutcomeCancelled Outcome = "cancelled"
	OutcomeLost      Outcome = "lost"
	// OutcomeStopped means that the handler returned an error after the worker's StopTimeout, or that a durable function ended at one of
	// its calls because the worker stops. The step is handed back, and the attempt does not count.
	OutcomeStopped Outcome = "stopped"
	// OutcomeRolledBack means that the transaction of a [HandleTx] handler was lost, because its connection broke or because of a conflict.
	// The handler runs again under the same claim, unless its time is over or it has run too often.
	OutcomeRolledBack Outcome = "rolled_back"
	// OutcomeSuspended means that the attempt ended without a result or a failure. Either a durable function waits or begins again with a
	// new state, or the handler returned a [Snooze], or the step waits for another build whose types fit the result of an earlier step.
	OutcomeSuspended Outcome = "suspended"
)

// OutcomeOf returns the outcome of an attempt whose handler got ctx and returned err. The worker acts on the outcome and reports it to the
// database. If middleware changes the error, the outcome changes, too.
func OutcomeOf(ctx context.Context, err error) Outcome {
	cause := context.Cause(ctx)
	var panicked *PanicError
	var refused refusedError
	var lost *lent.LostError
	switch {
	case errors.Is(err, ErrSuspended), errors.Is(err, errContinued):
		return OutcomeSuspended
	case errors.Is(cause, ErrCancelled):
		return OutcomeCancelled
	case errors.Is(cause, ErrLost), errors.As(err, &refused):
		return OutcomeLost
	case err == nil:
		return OutcomeSuccess
	case errors.Is(cause, ErrStopping), errors.Is(err, ErrStopping):
		return OutcomeStopped
	case errors.As(err, &lost):
		return OutcomeRolledBack
	case isPermanent(err):
		return OutcomePermanent
	case ofAnotherBuild(err) != nil, snooze(err) != nil:
		return OutcomeSuspended
	case errors.As(err, &panicked):
		return OutcomePanic
	case errors.Is(cause, context.DeadlineExceeded):
		return OutcomeTimeout
	}
	return OutcomeFailure
}

// IsPermanent reports whether an error is marked with [Permanent].
func IsPermanent(err error) bool { return isPermanent(err) }
