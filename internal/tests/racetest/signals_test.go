package racetest

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/tests/enginetest"
)

// waitActions lists the actions on a step that waits for a signal. The step is s.waiting. The step s.last depends on it.
var waitActions = map[string]action{
	"signal": func(ctx context.Context, s *scene, e *direct.Executor) (string, error) {
		answer, err := e.SendSignal(ctx, s.task, executor.Signal{Name: "approved"})
		return said(answer.Answer, err)
	},
	"cancel": actions["cancel"],
	"retry":  actions["retry"],
	"reset": func(ctx context.Context, s *scene, e *direct.Executor) (string, error) {
		return said(e.ResetTask(ctx, s.task, "", ""))
	},
	"complete": func(ctx context.Context, s *scene, e *direct.Executor) (string, error) {
		return said(e.CompleteStepManually(ctx, sqlfn.CompleteStepManuallyParams{StepUUID: s.waiting, Results: json.RawMessage(`{}`)}))
	},
	"timeout":  fireOne,
	"deadline": fireOne,
}

// fireOne fires the timer that is due first. If both actions have a timer, it is the first action's timer.
func fireOne(ctx context.Context, _ *scene, e *direct.Executor) (string, error) {
	return said(e.FireDueTimers(ctx, 1))
}

// waitPairs has the verdict on the second action for each first action.
var waitPairs = map[string]map[string]verdict{
	"signal": {
		"signal": waits("kept", "delivered"), "timeout": waits("kept", "delivered"), "cancel": waits("ended", "delivered"),
		"retry": waits("delivered", "delivered"), "reset": waits("delivered", "delivered"),
		"complete": waits("kept", "delivered"), "deadline": waits("ended", "delivered"),
	},
	"cancel": {
		"signal": waits("true", "true"), "timeout": waits("true", "true"), "cancel": waits("false", "true"),
		"retry": waits("true", "true"), "reset": waits("true", "true"),
		"complete": waits("true", "true"), "deadline": waits("false", "true"),
	},
	"retry": {
		"signal": waits("refused", "false"), "timeout": waits("true", "false"), "cancel": waits("refused", "false"),
		"retry": waits("false", "false"), "reset": waits("false", "false"),
		"complete": waits("refused", "false"), "deadline": waits("refused", "false"),
	},
	"reset": {
		"signal": waits("false", "false"), "timeout": waits("true", "false"), "cancel": waits("refused", "false"),
		"retry": waits("false", "false"), "reset": waits("false", "false"),
		"complete": waits("false", "false"), "deadline": waits("true", "false"),
	},
	"complete": {
		"signal": waits("refused", "true"), "timeout": waits("true", "true"), "cancel": waits("refused", "true"),
		"retry": waits("true", "true"), "reset": waits("true", "true"),
		"complete": waits("false", "true"), "deadline": waits("refused", "true"),
	},
	// A timer never waits, because it tries again in a second if another transaction has the task locked.
	"timeout": {
		"signal": says("0"), "timeout": says("0"), "cancel": says("0"), "retry": says("0"), "reset": says("0"),
		"complete": says("0"), "deadline": says("0"),
	},
	"deadline": {
		"signal": says("0"), "timeout": says("0"), "cancel": says("0"), "retry": says("0"), "reset": says("0"),
		"complete": says("0"), "deadline": says("0"),
	},
}

func TestWaitPairs_OneEndsTheWaitAndTheOtherIsTold(t *testing.T) {
	t.Parallel()
	for _, second := range sorted(waitActions) {
		t.Run(second, func(t *testing.T) {
			t.Parallel()
			pool := newPool(t)
			_, err := direct.New(pool).RegisterTaskTemplate(t.Context(), json.RawMessage(`{
				"namespace": "plain", "name": "wait", "identity_strategy": "always_unique", "steps": [
				  {"name": "approve", "await": {"signal": "approved"}, "timeout": "1h"},
				  {"name": "last", "dependencies": ["approve"]}]}`))
			require.NoError(t, err)
			for _, first := range sorted(waitActions) {
				for _, commit := range []bool{true, false} {
					name := first + " rolls back"
					if commit {
						name = first + " commits"
					}
					t.Run(name, func(t *testing.T) {
						s := newWait(t, pool, first, second)
						s.race(waitActions[first], waitActions[second], waitPairs[second][first], commit)
						s.requireNoWait()
					})
				}
			}
		})
	}
}

// newWait creates a task whose first step waits, and moves the clock as far as the two actions need.
func newWait(t *testing.T, pool *pgxpool.Pool, first, second string) *scene {
	t.Helper()
	s := &scene{T: t, pool: pool, worker: uuid.New()}
	now, err := direct.New(pool).Clock(t.Context())
	require.NoError(t, err)
	options := executor.TaskOptions{}
	switch {
	case first == "deadline":
		options.Deadline = now.Add(30 * time.Minute)
	case second == "deadline":
		options.Deadline = now.Add(90 * time.Minute)
	}
	made, err := direct.New(pool).CreateTask(t.Context(), executor.TaskRequest{Namespace: "plain", Name: "wait", TaskOptions: options})
	require.NoError(t, err)
	s.task = made.TaskUUID
	for i, id := range []*uuid.UUID{&s.waiting, &s.last} {
		*id = s.task
		id[15] = byte(i + 1)
	}
	passes := time.Duration(0)
	for _, name := range []string{first, second} {
		switch {
		case name == "timeout":
			passes = max(passes, 61*time.Minute)
		case name == "deadline" && first == "deadline":
			passes = max(passes, 31*time.Minute)
		case name == "deadline":
			passes = max(passes, 91*time.Minute)
		}
	}
	if passes > 0 {
		_, err = enginetest.Pass(t.Context(), pool, passes)
		require.NoError(t, err)
	}
	return s
}

// requireNoWait checks everything, cancels the task if it is still open, and checks that no row of the wait is left.
func (s *scene) requireNoWait() {
	s.Helper()
	s.requireSound()
	_, err := said(direct.New(s.pool).CancelTask(s.Context(), s.task, "", ""))
	require.NoError(s, err)
	s.requireSound()
	var left int
	require.NoError(s, s.pool.QueryRow(s.Context(), `
		select (select count(*) from tasker.waits as w where w.task_uuid = $1)
		     + (select count(*) from tasker.timers as m where m.task_uuid = $1)
		     + (select count(*) from tasker.step_queue as q where q.task_uuid = $1)`, s.task).Scan(&left))
	require.Zero(s, left)
}
