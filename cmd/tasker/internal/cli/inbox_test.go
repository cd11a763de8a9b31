package cli

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
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
	var answer gen.SignalAnswer
	require.NoError(t, json.Unmarshal([]byte(must(t, pool, "task", "signal", id, "rejected", "--json")), &answer))
	require.Equal(t, executor.Delivered, answer.Answer)
}

func TestTaskSignal_ByKeyCreatesTheTask(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	_, err := executor.New(pool).RegisterTaskTemplate(t.Context(), json.RawMessage(`{
		"namespace": "shop", "name": "payment", "identity_strategy": "caller_provided",
		"steps": [{"name": "paid", "await": {"signal": "paid"}}, {"name": "file", "dependencies": ["paid"]}]}`))
	require.NoError(t, err)
	signal := []string{"task", "signal", "key:o-7", "paid", "--template", "shop/payment", "--key", "evt"}
	r := tasker(t, pool, signal...)
	require.Equal(t, exitNotFound, r.code)
	require.Contains(t, r.err, `no task of template "shop/payment" has identity key "o-7"`)
	require.Regexp(t, `^task \S+ created; signal "paid" was delivered to step`, must(t, pool, append(signal, "--start", "--context", `{"n": 7}`)...))
	require.Contains(t, must(t, pool, append(signal, "--start")...), "was sent before with this key")

	require.Contains(t, must(t, pool, "task", "signal", "key:o-7", "piad"), "is kept: no step of task")
	require.Regexp(t, `signals not taken +piad`, must(t, pool, "task", "show", "key:o-7"))
	require.Contains(t, must(t, pool, "task", "show", "key:o-7", "--json"), `"signals": [`)
	require.Regexp(t, `signals not taken +1 kept`, tasker(t, pool, "health").out)
	must(t, pool, "task", "cancel", "key:o-7")
	require.Contains(t, tasker(t, pool, "health").out, "1 signal that no step took before the task ended")

	for _, wrong := range [][]string{{"--start"}, {"--context", "{}"}, {"--template", "shop/payment", "--context", "{}"}} {
		r := tasker(t, pool, append([]string{"task", "signal", "key:o-8", "paid"}, wrong...)...)
		require.Equal(t, exitUsage, r.code, r.err)
	}
}
