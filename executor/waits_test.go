package executor_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/state"
)

const approval = `{"namespace": "shop", "name": "order", "identity_strategy": "caller_provided", "steps": [
	{"name": "approve", "await": {"signal": "approved", "schema": {"type": "object", "required": ["ok"]}}, "assignee": "ann"},
	{"name": "pay", "dependencies": ["approve"], "await": {"signal": "paid"}}]}`

func TestSignals_EndWaitsOnce(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	e := executor.New(pgtest.New(t))
	waits := e
	_, err := e.RegisterTaskTemplate(ctx, json.RawMessage(approval))
	require.NoError(t, err)

	key := executor.TaskKey{Namespace: "shop", Name: "order", IdentityKey: "A-1"}
	_, err = waits.SendSignalByKey(ctx, key, executor.Signal{Name: "paid"}, nil)
	require.ErrorIs(t, err, executor.ErrNotFound)
	early, err := waits.SendSignalByKey(ctx, key, executor.Signal{Name: "paid", IdempotencyKey: "evt"}, &executor.SignalStart{})
	require.NoError(t, err)
	require.True(t, early.Created)
	require.Equal(t, executor.Kept, early.Answer)

	inbox, err := waits.ListWaits(ctx, executor.WaitFilter{Namespace: "shop", Assignee: "ann", Signal: "approved", TaskName: "order"})
	require.NoError(t, err)
	require.Len(t, inbox, 1)
	require.Equal(t, []string{"approved"}, inbox[0].Signals)
	next, err := waits.ListWaits(ctx, executor.WaitFilter{After: &inbox[0]})
	require.NoError(t, err)
	require.Empty(t, next)
	old, err := waits.ListWaits(ctx, executor.WaitFilter{OlderThan: time.Hour})
	require.NoError(t, err)
	require.Empty(t, old)

	_, err = waits.SendSignal(ctx, early.TaskUUID, executor.Signal{Name: "approved"})
	require.ErrorIs(t, err, executor.ErrInvalid)
	_, err = waits.SendSignal(ctx, early.TaskUUID, executor.Signal{Name: "approved", Payload: json.RawMessage(`{`)})
	require.ErrorIs(t, err, executor.ErrInvalid)
	answer, err := waits.SendSignal(ctx, early.TaskUUID, executor.Signal{Name: "approved", Payload: json.RawMessage(`{"ok": true}`)})
	require.NoError(t, err)
	require.Equal(t, executor.Delivered, answer.Answer)
	require.Equal(t, inbox[0].StepUUID, *answer.StepUUID)

	task, err := e.GetTask(ctx, early.TaskUUID)
	require.NoError(t, err)
	require.Equal(t, state.TaskComplete, task.State, "the kept signal was taken in the same call")
	late, err := waits.SendSignal(ctx, early.TaskUUID, executor.Signal{Name: "paid"})
	require.NoError(t, err)
	require.Equal(t, executor.Ended, late.Answer)
	again, err := waits.SendSignalByKey(ctx, key, executor.Signal{Name: "paid", IdempotencyKey: "evt"}, &executor.SignalStart{})
	require.NoError(t, err)
	require.Equal(t, executor.Repeated, again.Answer)

	signals, err := waits.ListSignals(ctx, early.TaskUUID, 0, 10)
	require.NoError(t, err)
	require.Len(t, signals, 2)
	require.Equal(t, "pay", *signals[0].StepName)
	_, err = waits.ListSignals(ctx, uuid.New(), 0, 10)
	require.ErrorIs(t, err, executor.ErrNotFound)
}
