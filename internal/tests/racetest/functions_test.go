package racetest

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/direct"
)

// functionActions lists the actions on a running durable function. The function is the step s.lost, whose lease has
// ended.
var functionActions = map[string]action{
	"keep": func(ctx context.Context, s *scene, e *direct.Executor) (string, error) {
		return kept(e.KeepStepResult(ctx, s.claim, firstCall, json.RawMessage(`1`), ""))
	},
	"suspend": func(ctx context.Context, s *scene, e *direct.Executor) (string, error) {
		return kept(e.SuspendStep(ctx, s.claim, firstCall, json.RawMessage(`{"await": [{"signal": "approved"}, {"for": 60}]}`)))
	},
	"continue": func(ctx context.Context, s *scene, e *direct.Executor) (string, error) {
		return kept(e.ContinueStep(ctx, s.claim, 0, json.RawMessage(`{}`)))
	},
	"signal":    waitActions["signal"],
	"cancel":    actions["cancel"],
	"lease end": actions["lease end"],
}

var firstCall = direct.KeptCall{Position: 1, Name: "call", Occurrence: 1}

func kept(answer gen.KeptAnswer, err error) (string, error) { return string(answer.Answer), err }

// functionPairs has the verdict on the second call for each first call. Keeping a result locks only the step. A signal locks
// the task.
var functionPairs = map[string]map[string]verdict{
	"keep": {
		"keep": waits("known", "kept"), "suspend": waits("stale", "kept"), "continue": waits("kept", "kept"),
		"signal": says("kept"), "cancel": waits("cancelled", "kept"), "lease end": waits("stale", "kept"),
	},
	"suspend": {
		"keep": waits("known", "suspended"), "suspend": waits("suspended", "suspended"), "continue": waits("suspended", "suspended"),
		"signal": waits("ended", "suspended"), "cancel": waits("cancelled", "suspended"), "lease end": waits("stale", "suspended"),
	},
	"continue": {
		"keep": waits("continued", "continued"), "suspend": waits("stale", "continued"), "continue": waits("continued", "continued"),
		"signal": says("continued"), "cancel": waits("cancelled", "continued"), "lease end": waits("stale", "continued"),
	},
	"signal": {
		"keep": says("kept"), "suspend": waits("delivered", "kept"), "continue": says("kept"),
		"signal": waits("kept", "kept"), "cancel": waits("ended", "kept"), "lease end": says("kept"),
	},
	"cancel": {
		"keep": waits("true", "true"), "suspend": waits("true", "true"), "continue": waits("true", "true"),
		"signal": waits("true", "true"), "cancel": waits("false", "true"), "lease end": waits("true", "true"),
	},
	// A claim never waits: it skips a step that another transaction has locked.
	"lease end": {
		"keep": says("nothing"), "suspend": says("nothing"), "continue": says("nothing"),
		"signal": says("claimed"), "cancel": says("nothing"), "lease end": says("nothing"),
	},
}

func TestFunctionPairs_OneWriterWinsAndTheOtherIsTold(t *testing.T) {
	t.Parallel()
	for _, second := range sorted(functionActions) {
		t.Run(second, func(t *testing.T) {
			t.Parallel()
			pool := newPool(t)
			for _, first := range sorted(functionActions) {
				for _, commit := range []bool{true, false} {
					name := first + " rolls back"
					if commit {
						name = first + " commits"
					}
					t.Run(name, func(t *testing.T) {
						s := newScene(t, pool, "plain")
						s.race(functionActions[first], functionActions[second], functionPairs[second][first], commit)
						s.requireEnd()
					})
				}
			}
		})
	}
}
