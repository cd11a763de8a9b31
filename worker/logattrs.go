package worker

import (
	"log/slog"
	"sync"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/direct"
)

// facts holds the attributes of steps for log lines, from the start of a step's handler until the database has answered its result.
type facts struct {
	mu    sync.Mutex
	steps map[direct.StepClaim]gen.ClaimedStep
}

func (f *facts) add(claimed gen.ClaimedStep) {
	claimed.Context, claimed.Inputs, claimed.Checkpoint, claimed.ParentResults = nil, nil, nil, nil
	f.mu.Lock()
	defer f.mu.Unlock()
	f.steps[direct.StepClaim{StepUUID: claimed.StepUUID, ClaimNo: claimed.ClaimNo}] = claimed
}

func (f *facts) remove(claim direct.StepClaim) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.steps, claim)
}

// step returns the step of a claim. The step is empty if the database has answered its result.
func (f *facts) step(claim direct.StepClaim) gen.ClaimedStep {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.steps[claim]
}

// of returns the attributes of a claim's step for a log line, without a group.
func (f *facts) of(claim direct.StepClaim) slog.Attr {
	f.mu.Lock()
	step, found := f.steps[claim]
	f.mu.Unlock()
	attrs := []any{slog.String("step_uuid", claim.StepUUID.String())}
	if found {
		attrs = []any{
			slog.String("task", step.TaskUUID.String()),
			slog.String("template", step.Namespace+"/"+step.TaskName+":"+step.TaskVersion),
			slog.String("step", step.Name),
			slog.String("handler", step.Handler),
			slog.Int("attempt", int(step.Attempt)),
			slog.Int("max_attempts", int(step.MaxAttempts)),
			slog.String("step_uuid", claim.StepUUID.String()),
		}
	}
	return slog.Group("", attrs...)
}
