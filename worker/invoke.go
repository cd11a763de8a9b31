package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/lent"
	"github.com/pgtasker/pgtasker/internal/seal"
	"github.com/pgtasker/pgtasker/internal/sound"
)

// protected returns a handler that returns an error when the given handler panics. It also turns a panic of the error's methods
// into an error.
func protected(handler HandlerFunc) HandlerFunc {
	return func(ctx context.Context, step *Step) (raw json.RawMessage, err error) {
		defer func() {
			if value := recover(); value != nil {
				raw, err = nil, &PanicError{Value: value, Stack: debug.Stack()}
			}
			err = checked(err)
		}()
		return handler(ctx, step)
	}
}

// checked returns err, or a PanicError if err panics when its text is read. A nil pointer to an error type of the program can
// do that.
func checked(err error) error {
	if stack, panicked := sound.Check(err); panicked != nil {
		return &PanicError{Value: panicked, Stack: stack}
	}
	return err
}

// invoke runs the handler of a claimed step and returns the outcome. The error is ErrSuspended if the durable function waits,
// and ErrStopping if the run ended because the worker stops. If the step is snoozed or left for another build, invoke returns
// the outcome together with the reason. After ContinueAs the function runs again at once, under the same claim.
func (e *entry) invoke(ctx context.Context, claimed gen.ClaimedStep, source source) (direct.StepResult, error) {
	if e.tx {
		return e.invokeTx(ctx, claimed, source)
	}
	streams := &stepStreams{} // the streams of the claim, which count their batches across all runs
	for {
		step := newStep(ctx, claimed, source)
		step.streams = streams
		attempting, timeout, cancel := e.within(ctx, claimed)
		result, err := e.attempt(attempting, timeout, step)
		cancel()
		if !errors.Is(err, errContinued) {
			return result, err
		}
		claimed.Attempt, claimed.LastError = 1, nil
		claimed.Checkpoint = step.checkpoint
		claimed.Kept = json.RawMessage(fmt.Sprintf(
			`{"round": %d, "count": 0, "results": [], "state": %s}`, step.function.round, step.function.state))
		if stops(step.function.world) {
			return result, ErrStopping
		}
		if ctx.Err() != nil {
			result.Error = context.Cause(ctx).Error()
			return result, nil
		}
	}
}

// invokeTx is invoke for a handler with a transaction. It returns errRecorded if the result is recorded, and a refusedError if
// the result can never be recorded. If the transaction was lost, the handler runs again under the same claim and within the
// same time-out.
func (e *entry) invokeTx(ctx context.Context, claimed gen.ClaimedStep, source source) (direct.StepResult, error) {
	ctx, timeout, cancel := e.within(ctx, claimed)
	defer cancel()
	runs, streams := 0, &stepStreams{}
	for wait := firstRetry; ; wait = min(2*wait, maxRetry) {
		step := newStep(ctx, claimed, source)
		step.streams = streams
		result, err := e.attempt(ctx, timeout, step)
		var lost *lent.LostError
		if !errors.As(err, &lost) {
			return result, err
		}
		if lost.Ran {
			runs++
		}
		err = step.again(ctx, result.Results, lost, runs, jittered(wait))
		switch {
		case errors.As(err, &lost):
			return failed(ctx, timeout, step, result, lost)
		case err != nil:
			return result, err
		}
	}
}

// within bounds the time of an attempt.
func (e *entry) within(ctx context.Context, claimed gen.ClaimedStep) (context.Context, time.Duration, context.CancelFunc) {
	timeout := e.timeout
	if claimed.TimeoutSeconds != nil {
		timeout = time.Duration(*claimed.TimeoutSeconds) * time.Second
	}
	if timeout <= 0 {
		return ctx, 0, func() {}
	}
	attempt, cancel := newAttempt(ctx, timeout)
	return attempt, timeout, cancel
}

// attempt runs the handler once.
func (e *entry) attempt(ctx context.Context, timeout time.Duration, step *Step) (direct.StepResult, error) {
	start := time.Now()
	result := direct.StepResult{StepClaim: step.claim()}
	defer step.rollback(ctx) // for a handler that ends its goroutine
	var raw json.RawMessage
	err := step.unseal(ctx, e.codec)
	if err == nil {
		step.streams.reopen()
		raw, err = e.call(ctx, step)
		step.closeLog(ctx)
	}
	result.ExecutionTime = time.Since(start)
	// The run may have ended even if middleware has replaced the error that says so.
	switch end, misuse := step.function.ended(); {
	case misuse != nil && err == nil:
		err = Permanent(misuse)
	case misuse == nil && (errors.Is(end, ErrSuspended) || errors.Is(end, errContinued) || errors.Is(end, ErrStopping)):
		return result, end
	case err == nil:
		err = end
	}
	if err == nil {
		raw, err = step.sealing.seal(ctx, "result", step.Name, raw)
	}
	if err == nil {
		err = sendable(raw)
	}
	if e.tx {
		var lost *lent.LostError
		var refused refusedError
		switch err = step.settle(ctx, raw, err); {
		case errors.Is(err, errRecorded), errors.As(err, &refused), errors.As(err, &lost):
			result.Results = raw
			return result, err
		}
	}
	if err == nil {
		result.Results = raw
		return result, nil
	}
	return failed(ctx, timeout, step, result, err)
}

// failed returns the result of a failed attempt. If the step is left for another build or
// snoozed, failed also returns the reason.
func failed(ctx context.Context, timeout time.Duration, step *Step, result direct.StepResult, err error) (direct.StepResult, error) {
	if errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		if a, ok := ctx.Value(attemptKey{}).(*attempt); ok {
			timeout = a.timeout()
		}
		err = fmt.Errorf("timed out after %s: %w", timeout, err)
	}
	result.Results, result.Error, result.Permanent, result.Backoff = nil, errorText(err), isPermanent(err), backoff(err)
	result.Error = step.sealing.failure(ctx, "error", step.Name, seal.Class(err), result.Error)
	if asked := snooze(err); asked != nil {
		return result, asked
	}
	if other := ofAnotherBuild(err); other != nil {
		return result, other
	}
	return result, nil
}
