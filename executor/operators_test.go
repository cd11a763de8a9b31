package executor_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/state"
)

func TestCompleteStepByName_CompletesAStepInItsTurn(t *testing.T) {
	t.Parallel()
	e := executor.New(pgtest.New(t))
	ctx := t.Context()
	_, err := e.RegisterTaskTemplate(ctx, json.RawMessage(`{"namespace": "shop", "name": "order", "steps": [
	  {"name": "charge"}, {"name": "approve", "dependencies": ["charge"]}]}`))
	require.NoError(t, err)
	task, err := e.CreateTask(ctx, executor.TaskRequest{Namespace: "shop", Name: "order"})
	require.NoError(t, err)

	_, err = e.CompleteStepByName(ctx, task.TaskUUID, "approve", executor.StepCompletion{})
	require.ErrorIs(t, err, executor.ErrConflict)
	require.ErrorContains(t, err, `step "approve" still waits for other steps`)
	_, err = e.CompleteStepByName(ctx, task.TaskUUID, "aprove", executor.StepCompletion{})
	require.ErrorIs(t, err, executor.ErrNotFound)
	require.ErrorContains(t, err, `Did you mean "approve"?`)
	_, err = e.CompleteStepByName(ctx, task.TaskUUID, "charge", executor.StepCompletion{Results: json.RawMessage(`{`)})
	require.ErrorIs(t, err, executor.ErrInvalid)

	for _, name := range []string{"charge", "approve"} {
		did, err := e.CompleteStepByName(ctx, task.TaskUUID, name, executor.StepCompletion{
			Results: json.RawMessage(`{"ok": true}`), Reason: "seen", Actor: "ann",
		})
		require.NoError(t, err)
		require.True(t, did)
	}
	detail, err := e.GetTask(ctx, task.TaskUUID)
	require.NoError(t, err)
	require.Equal(t, state.TaskComplete, detail.State)
}
