package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/pgtasker/pgtasker/executor"
)

// protected is a handler whose panics are errors.
func protected(handler HandlerFunc) HandlerFunc {
	return func(ctx context.Context, step *Step) (raw json.RawMessage, err error) {
		defer func() {
			if value := recover(); value != nil {
				raw, err = nil, panicError{value: value, stack: debug.Stack()}
			}
		}()
		return handler(ctx, step)
	}
}

// invoke runs the handler of a claimed step and returns the outcome.
func (e *entry) invoke(ctx context.Context, claimed executor.ClaimedStep, source source) executor.StepResult {
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
	raw, err := e.call(ctx, newStep(ctx, claimed, source))
	result.ExecutionTime = time.Since(start)
	if err == nil {
		result.Results = raw
		return result
	}
	if errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		err = fmt.Errorf("timed out after %s: %w", timeout, err)
	}
	result.Error, result.Permanent, result.Backoff = errorText(err), isPermanent(err), backoff(err)
	return result
}
