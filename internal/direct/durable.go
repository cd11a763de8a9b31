package direct

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

// KeptCall identifies a call of a durable function, so that a later run finds the kept result of the call.
type KeptCall struct {
	// Position counts the calls of the function, from 1.
	Position int32
	// Name is the name of the call. Occurrence counts the calls of this name, from 1.
	Name       string
	Occurrence int32
}

// KeepStepResult keeps the result of a call of a running step's function: value or, if it is not empty, failure. It locks
// the step and not its task, so that it can run in the transaction whose effects it records. The answer is "kept",
// "known", "diverged", "stale" or "cancelled". "known" and "diverged" come with the result that is already kept at this
// position.
func (e *Executor) KeepStepResult(
	ctx context.Context, claim StepClaim, call KeptCall, value json.RawMessage, failure string,
) (gen.KeptAnswer, error) {
	params := sqlfn.KeepStepResultParams{
		StepUUID: claim.StepUUID, ClaimNo: claim.ClaimNo, Position: call.Position, Name: call.Name, Occurrence: call.Occurrence,
	}
	if failure != "" {
		failure = readable(failure)
		params.Error = failure
	} else {
		if err := checkJSON(value); err != nil {
			return gen.KeptAnswer{}, err
		}
		params.Value = value
	}
	row, err := e.Functions.KeepStepResult(ctx, params)
	return gen.KeptAnswer(row), err
}

// SuspendStep suspends a running step whose function waits. wait has the form of a wait in a template's step, such as {"await":
// {"signal": "approved"}, "timeout": "3d"}. The answer is "suspended", "ended", "known", "diverged", "stale" or "cancelled".
// "ended" means that the function need not stop. With "ended" comes the cause that ended the wait.
func (e *Executor) SuspendStep(
	ctx context.Context, claim StepClaim, call KeptCall, wait json.RawMessage,
) (gen.KeptAnswer, error) {
	if err := checkJSON(wait); err != nil {
		return gen.KeptAnswer{}, err
	}
	row, err := e.Functions.SuspendStep(ctx, sqlfn.SuspendStepParams{
		StepUUID: claim.StepUUID, ClaimNo: claim.ClaimNo, Position: call.Position, Name: call.Name, Occurrence: call.Occurrence,
		Wait: wait,
	})
	return gen.KeptAnswer(row), err
}

// DivergeStep suspends a running step whose code has changed: at this position its function makes a call that differs from the
// kept call. asked is the name of the function's call, or "$end" if the function returned. Another worker tries the step again
// later.
func (e *Executor) DivergeStep(
	ctx context.Context, claim StepClaim, position int32, asked string,
) (gen.KeptAnswer, error) {
	row, err := e.Functions.DivergeStep(ctx, sqlfn.DivergeStepParams{
		StepUUID: claim.StepUUID, ClaimNo: claim.ClaimNo, Position: position, Name: asked,
	})
	return gen.KeptAnswer(row), err
}

// SnoozeStep suspends a running step whose handler asks to run again after d. The attempt does not count. The answer is "suspended",
// "stale" or "cancelled".
func (e *Executor) SnoozeStep(ctx context.Context, claim StepClaim, d time.Duration, reason string) (gen.KeptAnswer, error) {
	row, err := e.Functions.SnoozeStep(ctx, sqlfn.SnoozeStepParams{
		StepUUID: claim.StepUUID, ClaimNo: claim.ClaimNo, Seconds: d.Seconds(), Reason: reason,
	})
	return gen.KeptAnswer(row), err
}

// ContinueStep lets a running step's function begin again: it forgets the kept results of the function and saves state as the
// step's checkpoint. The step stays claimed. round is the round that ends, from 0. A repeated call for the same round gets
// the same answer and changes nothing. The answer is "continued", "stale" or "cancelled".
func (e *Executor) ContinueStep(
	ctx context.Context, claim StepClaim, round int32, state json.RawMessage,
) (gen.KeptAnswer, error) {
	if err := checkJSON(state); err != nil {
		return gen.KeptAnswer{}, err
	}
	row, err := e.Functions.ContinueStep(ctx, sqlfn.ContinueStepParams{
		StepUUID: claim.StepUUID, ClaimNo: claim.ClaimNo, State: state, Round: &round,
	})
	return gen.KeptAnswer(row), err
}

// GetKeptResults returns up to `limit` kept results of a step's function, in the order of its calls, starting after a position.
// A limit of 0 is 100.
func (e *Executor) GetKeptResults(
	ctx context.Context, stepUUID uuid.UUID, after, limit int32,
) ([]gen.KeptDetail, error) {
	if limit == 0 {
		limit = 100
	}
	rows, err := e.Functions.GetKeptResults(ctx, stepUUID, after, limit)
	return rows, err
}
