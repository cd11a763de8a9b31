package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/sound"
)

// protected is a handler whose panics are errors, those of its error too.
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

// checked is an error that may be asked for its text: not a nil pointer to a type of the program's own.
func checked(err error) error {
	if stack, panicked := sound.Check(err); panicked != nil {
		return &PanicError{Value: panicked, Stack: stack}
	}
	return err
}

// invoke runs the handler of a claimed step and returns the outcome, ErrSuspended if its function waits, ErrStopping if it
// ended for a worker that stops, or, with the outcome, why the step is left for another build. A function that continues runs again at once, under the same claim.
func (e *entry) invoke(ctx context.Context, claimed executor.ClaimedStep, source source) (executor.StepResult, error) {
	for {
		step := newStep(ctx, claimed, source)
		result, err := e.attempt(ctx, claimed, step)
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

// attempt runs the handler once.
func (e *entry) attempt(ctx context.Context, claimed executor.ClaimedStep, step *Step) (executor.StepResult, error) {
	timeout := e.timeout
	if claimed.TimeoutSeconds != nil {
		timeout = time.Duration(*claimed.TimeoutSeconds) * time.Second
	}
	if timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, timeout)
		defer cancel()
	}

	start := time.Now()
	result := executor.StepResult{StepClaim: executor.StepClaim{StepUUID: claimed.StepUUID, ClaimNo: claimed.ClaimNo}}
	raw, err := e.call(ctx, step)
	result.ExecutionTime = time.Since(start)
	// Middleware may have changed the error, but not that the run has ended.
	switch end, misuse := step.function.ended(); {
	case misuse != nil && err == nil:
		err = Permanent(misuse)
	case misuse == nil && (errors.Is(end, ErrSuspended) || errors.Is(end, errContinued) || errors.Is(end, ErrStopping)):
		return result, end
	case err == nil:
		err = end
	}
	if err == nil {
		err = sendable(raw)
	}
	if err == nil {
		result.Results = raw
		return result, nil
	}
	if errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		err = fmt.Errorf("timed out after %s: %w", timeout, err)
	}
	result.Error, result.Permanent, result.Backoff = errorText(err), isPermanent(err), backoff(err)
	if other := ofAnotherBuild(err); other != nil {
		return result, other
	}
	return result, nil
}
