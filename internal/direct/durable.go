package direct

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

// KeptCall is a call of a durable function, by which it finds its kept result in a later run.
type KeptCall struct {
	// Position counts the calls of the function, from 1.
	Position int32
	// Name of the call, and its Occurrence: which call of that name it is, from 1.
	Name       string
	Occurrence int32
}

// KeepStepResult keeps the result of a call of a running step's function: value or, if it is not empty, failure. It locks
// the step, not its task, so that it can stand in the transaction whose effects it records. The answer is "kept", "known"
// or "diverged", with the kept result at this position already, "stale", "cancelled".
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

// SuspendStep suspends a running step whose function waits. wait is spelt as a template's step spells it, such as
// {"await": {"signal": "approved"}, "timeout": "3d"}. The answer is "suspended", "ended", with what ended the wait, if
// the function need not stop, "known" or "diverged", "stale", "cancelled".
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

// DivergeStep suspends a running step whose function asks for another call than the kept one at a position, because
// its code has changed. asked is the name that it asked for, "$end" if it returned. Another worker tries it again later.
func (e *Executor) DivergeStep(
	ctx context.Context, claim StepClaim, position int32, asked string,
) (gen.KeptAnswer, error) {
	row, err := e.Functions.DivergeStep(ctx, sqlfn.DivergeStepParams{
		StepUUID: claim.StepUUID, ClaimNo: claim.ClaimNo, Position: position, Name: asked,
	})
	return gen.KeptAnswer(row), err
}

// ContinueStep lets a running step's function begin again: it forgets the kept results of the function and saves state as the
// step's checkpoint. The step stays claimed. round is the one that ends, 0 the first: a repeat is answered alike and changes
// nothing. The answer is "continued", "stale" or "cancelled".
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

// GetKeptResults returns up to limit of the results that the function of a step has kept, after a position, in the order
// of its calls. A limit of 0 is 100.
func (e *Executor) GetKeptResults(
	ctx context.Context, stepUUID uuid.UUID, after, limit int32,
) ([]gen.KeptDetail, error) {
	if limit == 0 {
		limit = 100
	}
	rows, err := e.Functions.GetKeptResults(ctx, stepUUID, after, limit)
	return rows, err
}
