package racetest

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/tests/enginetest"
)

// again lists the actions on a task with two steps. The step "ready" of the scene is complete. The step "lost" depends on
// "ready" and is in progress under a lease that has ended.
var again = map[string]action{
	"rerun": func(ctx context.Context, s *scene, e *direct.Executor) (string, error) {
		return said(e.RerunStep(ctx, sqlfn.RerunStepParams{StepUUID: s.ready, Reason: "wrong"}))
	},
	"correct": func(ctx context.Context, s *scene, e *direct.Executor) (string, error) {
		return said(e.RerunStep(ctx, sqlfn.RerunStepParams{StepUUID: s.ready, Reason: "wrong", Results: json.RawMessage(`{"n": 2}`)}))
	},
	"complete": actions["complete"], "fail": actions["fail"], "cancel": actions["cancel"], "lease end": actions["lease end"],
	"reset": func(ctx context.Context, s *scene, e *direct.Executor) (string, error) {
		return said(e.ResetTask(ctx, s.task, "", ""))
	},
}

// againPairs has the verdict on the second action for each first action.
var againPairs = map[string]map[string]verdict{
	"rerun": {
		"rerun": waits("false", "true"), "correct": waits("true", "true"), "complete": waits("true", "true"), "fail": waits("true", "true"),
		"cancel": waits("refused", "true"), "lease end": waits("true", "true"), "reset": waits("true", "true"),
	},
	"correct": {
		"rerun": waits("refused", "true"), "correct": waits("false", "true"), "complete": waits("true", "true"), "fail": waits("true", "true"),
		"cancel": waits("refused", "true"), "lease end": waits("true", "true"), "reset": waits("true", "true"),
	},
	// The result of a step that is to run again, or runs again after a correction, is stale.
	"complete": {"rerun": waits("stale", "completed"), "correct": waits("stale", "completed")},
	"fail":     {"rerun": waits("stale", "retrying"), "correct": waits("stale", "retrying")},
	"cancel":   {"rerun": waits("true", "true"), "correct": waits("true", "true")},
	// A claim does not wait, and finds the step locked.
	"lease end": {"rerun": says("nothing"), "correct": says("nothing")},
	"reset":     {"rerun": waits("false", "false"), "correct": waits("false", "false")},
}

func TestReruns_AnswerAsTheyMustInEitherOrder(t *testing.T) {
	t.Parallel()
	pool := newPool(t)
	_, err := direct.New(pool).RegisterTaskTemplate(t.Context(), json.RawMessage(`{
		"namespace": "plain", "name": "again", "identity_strategy": "always_unique",
		"steps": [{"name": "price"}, {"name": "pay", "dependencies": ["price"]}]}`))
	require.NoError(t, err)
	for _, second := range sorted(againPairs) {
		for _, first := range sorted(againPairs[second]) {
			for name, commit := range map[string]bool{"commits": true, "rolls back": false} {
				t.Run(second+" after "+first+" "+name, func(t *testing.T) {
					s := &scene{T: t, pool: pool, worker: uuid.New()}
					e := direct.New(pool)
					made, err := e.CreateTask(t.Context(), executor.TaskRequest{Namespace: "plain", Name: "again"})
					require.NoError(t, err)
					s.task, s.ready, s.lost = made.TaskUUID, made.TaskUUID, made.TaskUUID
					s.ready[15], s.lost[15] = 1, 2
					c, err := e.ClaimStep(t.Context(), s.ready, s.worker, time.Minute)
					require.NoError(t, err)
					_, err = e.CompleteSteps(t.Context(), []direct.StepResult{{
						StepClaim: direct.StepClaim{StepUUID: s.ready, ClaimNo: c.ClaimNo}, Results: json.RawMessage(`{"n": 1}`),
					}})
					require.NoError(t, err)
					c, err = e.ClaimStep(t.Context(), s.lost, s.worker, time.Second)
					require.NoError(t, err)
					s.claim = direct.StepClaim{StepUUID: s.lost, ClaimNo: c.ClaimNo}
					_, err = enginetest.Pass(t.Context(), pool, 2*time.Second)
					require.NoError(t, err)
					s.race(again[first], again[second], againPairs[second][first], commit)
					s.requireEnd()
				})
			}
		}
	}
}
