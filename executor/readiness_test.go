package executor_test

import (
	"encoding/json"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/state"
)

func TestGetStepReadinessStatus_SaysWhatMayRun(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	readiness := executor.New(pool)
	task, top := startTask(t, pool)
	_, err := pool.Exec(t.Context(), "select tasker_test.complete_step($1)", top)
	require.NoError(t, err)

	steps, err := readiness.GetStepReadinessStatus(t.Context(), task, nil)
	require.NoError(t, err)
	require.Len(t, steps, 4)
	for i, want := range []string{
		"invalid_state", "", "", "dependencies_not_satisfied",
	} {
		require.Equal(t, want, steps[i].BlockingReason(), steps[i].Name)
		require.Equal(t, want == "", steps[i].CanExecuteNow(), steps[i].Name)
	}
	require.InDelta(t, 2, steps[0].EffectiveBackoffSeconds(), 0, "2 ^ 1 attempt")
	require.Zero(t, steps[1].EffectiveBackoffSeconds())

	ready, err := readiness.GetReadySteps(t.Context(), task)
	require.NoError(t, err)
	require.Equal(t, steps[1:3], ready)
	batch, err := readiness.GetStepReadinessStatusBatch(t.Context(), []uuid.UUID{task, uuid.New()})
	require.NoError(t, err)
	require.Equal(t, steps, batch)
	one, err := readiness.GetStepReadinessStatus(t.Context(), task, []uuid.UUID{steps[2].WorkflowStepUUID})
	require.NoError(t, err)
	require.Equal(t, steps[2:3], one, "its parent is not asked for, and counts")
	none, err := readiness.GetStepReadinessStatus(t.Context(), task, []uuid.UUID{})
	require.NoError(t, err)
	require.Empty(t, none, "an empty filter returns no step")

	_, err = readiness.GetStepReadinessStatus(t.Context(), uuid.New(), nil)
	require.ErrorIs(t, err, executor.ErrNotFound)
}

func TestStepReadinessStatus_IsOneJSONObject(t *testing.T) {
	t.Parallel()
	text, err := json.Marshal(executor.StepReadinessStatus{StepReadiness: gen.StepReadiness{Name: "top"}})
	require.NoError(t, err)
	var object map[string]any
	require.NoError(t, json.Unmarshal(text, &object))
	require.Equal(t, "top", object["name"])
	require.Contains(t, object, "effective_backoff_seconds")
	require.Contains(t, object, "blocking_reason")
}

func TestExplainStep_SaysWhyInWordsAndData(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	e := executor.New(pool)
	task, top := startTask(t, pool)

	explanation, err := e.ExplainStep(t.Context(), step(t, pool, task, "left"))
	require.NoError(t, err)
	require.Equal(t, `It waits for 1 of its parents, among them "top".`, explanation.Summary)
	require.Equal(t, state.TaskStepsInProcess, explanation.TaskState)
	var waiting []struct {
		StepUUID uuid.UUID       `json:"step_uuid"`
		Name     string          `json:"name"`
		State    state.StepState `json:"state"`
	}
	require.NoError(t, json.Unmarshal(explanation.WaitingFor, &waiting))
	require.Len(t, waiting, 1)
	require.Equal(t, top, waiting[0].StepUUID)
	require.Equal(t, state.StepEnqueued, waiting[0].State)
}

func TestSetStepBackoffAtomic_OnlyWhereThereIsAWait(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	e := executor.New(pool)
	task, top := startTask(t, pool)

	set, err := e.SetStepBackoffAtomic(t.Context(), top, 90)
	require.NoError(t, err)
	require.False(t, set)
	_, err = pool.Exec(t.Context(), "select tasker_test.fail_step($1)", top)
	require.NoError(t, err)
	set, err = e.SetStepBackoffAtomic(t.Context(), top, 90)
	require.NoError(t, err)
	require.True(t, set)
	_, err = e.SetStepBackoffAtomic(t.Context(), top, -1)
	require.ErrorIs(t, err, executor.ErrInvalid)
	requireSound(t, pool, task)
}
