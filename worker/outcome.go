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
	// OutcomeSuccess is a result.
	OutcomeSuccess Outcome = "success"
	// OutcomeFailure is an error, which is tried again if the step has attempts left.
	OutcomeFailure Outcome = "failure"
	// OutcomePermanent is an error marked with [Permanent].
	OutcomePermanent Outcome = "permanent"
	// OutcomePanic is a panic, which is tried again like any error.
	OutcomePanic Outcome = "panic"
	// OutcomeTimeout is an error after the step's timeout, which is tried again like any error.
	OutcomeTimeout Outcome = "timeout"
	// OutcomeCancelled says that the step was cancelled meanwhile, or that its task is being undone: the database then decides whether the
	// handler's return counts. OutcomeLost says that the step no longer belongs to this worker: its result is dropped.
	OutcomeCancelled Outcome = "cancelled"
	OutcomeLost      Outcome = "lost"
	// OutcomeStopped is an error after the worker's StopTimeout, or the end of a durable function at one of its calls because the worker
	// stops. The step is handed back, and the attempt does not count.
	OutcomeStopped Outcome = "stopped"
	// OutcomeRolledBack says that the transaction of a handler with one was lost, because its connection broke or because of a conflict.
	// The handler runs again under the same claim, unless its time or its runs are used up.
	OutcomeRolledBack Outcome = "rolled_back"
	// OutcomeSuspended says that a durable function waits, or begins again with a new state, that a [Snooze] lets the step run
	// later, or that the step is left for another build, whose types fit the result of a step above.
	OutcomeSuspended Outcome = "suspended"
)

// OutcomeOf returns the outcome of an attempt whose handler got ctx and returned err. The worker acts on this outcome and reports it to the
// database. Middleware that changes the error changes the outcome.
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

// IsPermanent says whether an error is marked with [Permanent].
func IsPermanent(err error) bool { return isPermanent(err) }
