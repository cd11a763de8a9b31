package cli

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
)

func TestInbox_ListsAndAnswersWaits(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	_, err := executor.New(pool).RegisterTaskTemplate(t.Context(), json.RawMessage(`{
		"namespace": "shop", "name": "approval", "identity_strategy": "always_unique", "steps": [
		{"name": "approve", "await": [{"signal": "approved", "schema": {"type": "object"}}, {"signal": "rejected"}],
		 "timeout": "3h", "assignee": "ann"}]}`))
	require.NoError(t, err)
	id := createTask(t, pool, "shop/approval")
	execute(t, pool, "select tasker_test.pass('2 h')")

	out := must(t, pool, "inbox", "list", "--namespace", "shop", "--template", "approval", "--signal", "rejected",
		"--assignee", "ann", "--older-than", "1h")
	require.Contains(t, out, short(id)+".1 ")
	require.Contains(t, out, "approved, rejected")
	require.NotContains(t, must(t, pool, "inbox", "list", "--older-than", "3h", "--json"), stepOf(id, 1))
	require.Contains(t, must(t, pool, "step", "explain", stepOf(id, 1)), `It waits for signal "approved" or "rejected" from ann`)

	require.Contains(t, must(t, pool, "task", "signal", id, "other", "--key", "evt"), "no step of task")
	require.Contains(t, must(t, pool, "task", "signal", id, "other", "--key", "evt"), "was sent before with this key")
	require.Contains(t, must(t, pool, "inbox", "answer", stepOf(id, 1), "approved", "--payload", `{"ok": true}`),
		"was delivered to step "+stepOf(id, 1))

	id = createTask(t, pool, "shop/approval")
	var answer executor.SignalAnswer
	require.NoError(t, json.Unmarshal([]byte(must(t, pool, "task", "signal", id, "rejected", "--json")), &answer))
	require.Equal(t, executor.SignalDelivered, answer.Answer)
}
