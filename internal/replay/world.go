package replay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/durable"
)

// world is the surroundings of a replayed step: the recorded calls of its function, at the recorded time, and the results
// of earlier steps. A call without a record is not made.
type world struct {
	task *task
	step *Step
	now  time.Time
	// diverged is the first divergence of the function, and its place in the code.
	diverged *Divergence
	// open says whether the function has come as far as the recorded function.
	open bool
}

var (
	_ durable.World     = (*world)(nil)
	_ durable.Recording = (*world)(nil)
)

// errReplayed ends a run that has diverged, or has come as far as the recorded run.
var errReplayed = errors.New("the recorded run ends here")

func (w *world) kept() []Kept {
	if w.step.Function == nil {
		return nil
	}
	return w.step.Function.Kept
}

// claimed is the part of the function's kept results that a claim would deliver.
func (w *world) claimed() json.RawMessage {
	f := w.step.Function
	if f == nil {
		return nil
	}
	type result struct {
		Name       string          `json:"name"`
		Occurrence int32           `json:"occurrence"`
		Value      json.RawMessage `json:"value"`
		Error      *string         `json:"error"`
	}
	results := make([]result, len(f.Kept))
	for i, k := range f.Kept {
		results[i] = result{k.Name, k.Occurrence, k.Value, k.Error}
	}
	raw, _ := json.Marshal(map[string]any{"round": f.Round, "count": len(results), "results": results, "state": f.State})
	return raw
}

func (w *world) note(kind Kind, format string, args ...any) {
	if w.diverged == nil {
		w.diverged = &Divergence{Kind: kind, Message: fmt.Sprintf(format, args...), Where: userCode()}
	}
}

// Ended says whether the recorded function has ended and made no further call.
func (w *world) Ended() bool { return w.step.State.SatisfiesDependencies() }

// Unrecorded ends the run at a call without a record, before the call has an effect.
func (w *world) Unrecorded(call direct.KeptCall) error {
	wait := w.step.Wait
	switch {
	case w.Ended():
		w.note(Call, "the function makes a call %d, %q, and the recorded function ended after %d", call.Position, call.Name, len(w.kept()))
	case wait != nil && wait.Name != "" && (wait.Name != call.Name || wait.Occurrence != call.Occurrence):
		w.note(Call, "as its call %d the function asks for %q, and the recorded function waits in %q", call.Position, call.Name, wait.Name)
	default:
		w.open = true
	}
	return errReplayed
}

func (w *world) GetKeptResults(context.Context, uuid.UUID, int32, int32) ([]gen.KeptDetail, error) {
	return nil, nil // all were delivered
}

func (w *world) KeepStepResult(
	_ context.Context, _ direct.StepClaim, call direct.KeptCall, value json.RawMessage, failure string,
) (gen.KeptAnswer, error) {
	if strings.HasPrefix(call.Name, "$changed.") && !w.Ended() {
		return gen.KeptAnswer{Answer: gen.CallAnswerKept, Value: value}, nil
	}
	return gen.KeptAnswer{}, w.Unrecorded(call)
}

func (w *world) KeepIn(
	_ context.Context, _ pgx.Tx, _ direct.StepClaim, call direct.KeptCall, _ json.RawMessage,
) (gen.KeptAnswer, error) {
	return gen.KeptAnswer{}, w.Unrecorded(call)
}

func (w *world) SuspendStep(
	_ context.Context, _ direct.StepClaim, call direct.KeptCall, _ json.RawMessage,
) (gen.KeptAnswer, error) {
	return gen.KeptAnswer{}, w.Unrecorded(call)
}

func (w *world) ContinueStep(_ context.Context, _ direct.StepClaim, round int32, _ json.RawMessage) (gen.KeptAnswer, error) {
	if w.Ended() {
		w.note(Call, "the function continues with another state, and the recorded function ended in round %d", round)
	} else {
		w.open = true
	}
	return gen.KeptAnswer{}, errReplayed
}

func (w *world) DivergeStep(_ context.Context, _ direct.StepClaim, position int32, asked string) (gen.KeptAnswer, error) {
	kept := w.kept()[position-1]
	switch asked {
	case "$end":
		w.note(Call, "the function ends after %d calls, and as its call %d it made %q", position-1, position, kept.Name)
	case "$continue":
		w.note(Call, "the function continues after %d calls, and as its call %d it made %q", position-1, position, kept.Name)
	default:
		w.note(Call, "as its call %d the function asks for %q, and %q is recorded", position, asked, named(kept))
	}
	return gen.KeptAnswer{}, errReplayed
}

func named(k Kept) string {
	if k.Occurrence > 1 {
		return fmt.Sprintf("%s/%d", k.Name, k.Occurrence)
	}
	return k.Name
}

func (w *world) Misfit(_ context.Context, _ direct.StepClaim, position int32, name string, why error) (gen.KeptAnswer, error) {
	w.note(Input, "the value that its call %d, %q, has kept %v", position, name, why)
	return gen.KeptAnswer{}, errReplayed
}

// Ancestor is the result of an earlier step, for worker.Result.
func (w *world) Ancestor(name string) (json.RawMessage, bool, error) {
	return w.task.ancestor(w.step, name)
}

func (*world) Begin(context.Context) (pgx.Tx, error) { return nil, durable.ErrNoTransactions }

func (*world) Insists() bool { return false }

func (*world) Stopping() <-chan struct{} { return nil }

func (w *world) Now() time.Time { return w.now }

func (*world) Pause(context.Context, time.Duration) error { return nil }

// userCode is the file and line of the innermost frame outside this module's libraries.
func userCode() string {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		frame, more := frames.Next()
		if !ours(frame.Function) {
			if frame.Function == "" || strings.HasPrefix(frame.Function, "runtime.") {
				return ""
			}
			return fmt.Sprintf("%s:%d", frame.File, frame.Line)
		}
		if !more {
			return ""
		}
	}
}

const module = "github.com/pgtasker/pgtasker/"

func ours(function string) bool {
	for _, library := range []string{"worker.", "workflow.", "internal/replay.", "workertest."} {
		if strings.HasPrefix(function, module+library) {
			return true
		}
	}
	return false
}
