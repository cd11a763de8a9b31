package racetest

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/direct"
)

// mapActions lists the actions on a map of two elements. Its instances are s.lost and s.waiting, both claimed under
// s.claim's number or another one, unless the map has not begun.
var mapActions = map[string]action{
	"expand": fireOne,
	"cancel": actions["cancel"],
	"reset":  waitActions["reset"],
	"first": func(ctx context.Context, s *scene, e *direct.Executor) (string, error) {
		return mapResult(ctx, s, e, s.lost, "")
	},
	"second": func(ctx context.Context, s *scene, e *direct.Executor) (string, error) {
		return mapResult(ctx, s, e, s.waiting, "")
	},
	"fail": func(ctx context.Context, s *scene, e *direct.Executor) (string, error) {
		return mapResult(ctx, s, e, s.waiting, "no")
	},
}

// mapResult reports the result of an instance.
func mapResult(ctx context.Context, s *scene, e *direct.Executor, step uuid.UUID, failure string) (string, error) {
	var claimNo int32
	if err := s.pool.QueryRow(ctx, "select s.claim_no from tasker.workflow_steps as s where s.workflow_step_uuid = $1 and s.task_uuid = $2",
		step, s.task).Scan(&claimNo); err != nil {
		return "", err
	}
	result := direct.StepResult{StepClaim: direct.StepClaim{StepUUID: step, ClaimNo: claimNo}}
	if failure != "" {
		result.Error, result.Permanent = failure, true
	}
	reply, err := e.ExchangeSteps(ctx, direct.Exchange{Results: []direct.StepResult{result}, ClaimRequest: direct.ClaimRequest{WorkerUUID: s.worker, Limit: 0}})
	if err != nil {
		return "", err
	}
	return string(reply.Answers[0].Answer), nil
}

func TestMapPairs_OneGoesFirstAndNothingIsLost(t *testing.T) {
	t.Parallel()
	for _, p := range []struct {
		first, second string
		want          verdict
		begun         bool
	}{
		{"expand", "cancel", waits("true", "true"), false},
		{"cancel", "expand", says("0"), false},
		{"expand", "reset", waits("false", "false"), false},
		{"reset", "expand", says("0"), false},
		{"expand", "expand", says("0"), false},
		{"first", "second", waits("completed", "completed"), true},
		{"first", "fail", waits("failed", "failed"), true},
		{"fail", "first", waits("completed", "completed"), true},
		{"fail", "cancel", waits("true", "true"), true},
		{"cancel", "fail", waits("cancelled", "failed"), true},
		{"first", "cancel", waits("true", "true"), true},
	} {
		t.Run(p.second+" after "+p.first, func(t *testing.T) {
			t.Parallel()
			pool := newPool(t)
			_, err := direct.New(pool).RegisterTaskTemplate(t.Context(), json.RawMessage(`{
				"namespace": "plain", "name": "map", "identity_strategy": "always_unique", "steps": [
				  {"name": "each", "for_each": "$.lines", "allow_failures": 1},
				  {"name": "last", "dependencies": ["each"]}]}`))
			require.NoError(t, err)
			for _, commit := range []bool{true, false} {
				s := newMap(t, pool, p.begun)
				s.race(mapActions[p.first], mapActions[p.second], p.want, commit)
				s.requireEnd()
			}
		})
	}
}

func newMap(t *testing.T, pool *pgxpool.Pool, begun bool) *scene {
	t.Helper()
	s := &scene{T: t, pool: pool, worker: uuid.New()}
	e := direct.New(pool)
	made, err := e.CreateTask(t.Context(), executor.TaskRequest{Namespace: "plain", Name: "map", Context: json.RawMessage(`{"lines": [0, 1]}`)})
	require.NoError(t, err)
	s.task = made.TaskUUID
	for i, id := range []*uuid.UUID{&s.last, &s.lost, &s.waiting} {
		*id = s.task
		id[15] = byte(i + 2)
	}
	if begun {
		claimed, err := e.ClaimSteps(t.Context(), direct.ClaimRequest{WorkerUUID: s.worker, Limit: 10})
		require.NoError(t, err)
		require.Len(t, claimed, 2)
	}
	return s
}
