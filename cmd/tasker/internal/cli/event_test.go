package cli

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
)

func TestEvent_IsEmittedListedAndDelivered(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	e := executor.New(pool)
	_, err := e.RegisterTaskTemplate(t.Context(), json.RawMessage(`{
		"namespace": "shop", "name": "trade", "identity_strategy": "always_unique", "steps": [
		{"name": "open", "await": [{"event": "market_open", "key": "XETRA"}, {"event": "any"}, {"signal": "go"}]}]}`))
	require.NoError(t, err)
	id := createTask(t, pool, "shop/trade")
	require.Contains(t, must(t, pool, "inbox", "list", "--event", "market_open"), "go, event market_open XETRA, event any")
	require.Contains(t, tasker(t, pool, "inbox", "list", "--event", "other").err, "no step waits for a signal or an event")
	require.Contains(t, must(t, pool, "step", "explain", stepOf(id, 1)),
		`It waits for event "market_open" with key "XETRA" or event "any" or signal "go"`)

	require.Regexp(t, `^event \S+ emitted`, must(t, pool, "event", "emit", "shop/market_open", "XETRA", "--payload", `{"at": 9}`, "--key", "evt"))
	require.Contains(t, must(t, pool, "event", "emit", "shop/market_open", "XETRA", "--key", "evt"), "was emitted before with this key")
	require.Regexp(t, `shop/market_open +XETRA .*not yet`, must(t, pool, "event", "list", "--namespace", "shop", "--name", "market_open", "--event-key", "XETRA"))
	require.Contains(t, tasker(t, pool, "event", "list", "--event-key", "other").err, "no event is kept")
	for range 2 {
		_, err = e.FireDueTimers(t.Context(), 100)
		require.NoError(t, err)
	}
	require.Regexp(t, `shop/market_open +XETRA .* 1 +yes`, must(t, pool, "event", "list"))
	require.Contains(t, must(t, pool, "step", "show", stepOf(id, 1)), "market_open")

	require.Equal(t, exitUsage, tasker(t, pool, "event", "emit", "market_open").code)
	require.Equal(t, exitNotFound, tasker(t, pool, "event", "emit", "none/market_open").code)
	require.NotZero(t, tasker(t, pool, "event", "emit", "shop/market_open", "--payload", "{").code)
}

func TestEvent_IsTriedOut(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	e := executor.New(pool)
	_, err := e.RegisterTaskTemplate(t.Context(), json.RawMessage(`{
		"namespace": "shop", "name": "parcel", "identity_strategy": "caller_provided", "input_schema": {"required": ["order"], "properties": {"order": {"type": "string", "description": "Its number."}}},
		"start_on": {"event": "paid", "when": "$.amount > 0", "identity": "$.order", "context": {"order": "$.order"}}, "cancel_on": {"event": "withdrawn"},
		"steps": [{"name": "pack"}]}`))
	require.NoError(t, err)
	require.Regexp(t, `parcel@0.1.0 +starts a task +A +\{"order": "A"\}`, must(t, pool, "event", "test", "shop/paid", "--payload", `{"order": "A", "amount": 1}`))
	require.Contains(t, must(t, pool, "event", "test", "shop/paid", "--payload", `{"order": "A"}`), "none: the condition does not hold")
	refused := tasker(t, pool, "event", "test", "shop/paid", "--payload", `{"amount": 1}`)
	require.Equal(t, exitNo, refused.code)
	require.Contains(t, refused.out, "is refused")
	must(t, pool, "event", "emit", "shop/paid", "--payload", `{"order": "A", "amount": 1}`)
	require.Contains(t, must(t, pool, "event", "test", "shop/paid", "--payload", `{"order": "A", "amount": 1}`), "starts nothing: the key has a task")
	require.Contains(t, must(t, pool, "event", "test", "shop/withdrawn", "A"), "cancels the task")
	require.Contains(t, must(t, pool, "event", "test", "shop/withdrawn", "B"), "cancels nothing: the key has no open task")
	require.Contains(t, tasker(t, pool, "event", "test", "shop/none").err, "no template of the namespace names the event")
	require.Regexp(t, `order +string +yes +Its number\.`, must(t, pool, "template", "show", "shop/parcel"))
}
