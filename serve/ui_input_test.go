package serve_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/serve"
)

// A template with a schema of its input has a field for each value; the whole context as JSON stays possible.
func TestUI_AsksForTheInputByItsSchema(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, `select tasker.register_task_template('{"namespace": "shop", "name": "refund", "version": "1.0.0", "identity_strategy": "always_unique", "input_schema": {
		"type": "object", "required": ["amount", "note"], "properties": {
			"amount": {"type": "integer", "minimum": 1, "title": "Amount in cents", "description": "What is paid back."},
			"kind": {"enum": ["broken", "late"], "default": "late"}, "note": {"type": ["string", "null"]},
			"card": {"type": "object", "properties": {"last": {"type": "string", "maxLength": 4}}}
		}}, "steps": [{"name": "pay_back"}]}')`)
	b := s.loggedIn(t, s.token(t, "ops", "operator", "*"))

	shown := b.get(t, "/ui/templates/shop/refund/1.0.0").body
	require.Contains(t, shown, "<h2>Input</h2>")
	require.Contains(t, shown, "card.last")
	start := "/ui/templates/shop/refund/1.0.0/start"
	asked := b.get(t, start).body
	require.Contains(t, asked, "Amount in cents")
	require.Contains(t, asked, "What is paid back. A whole number from 1 on.")
	require.Contains(t, asked, "<option selected>late</option>")
	require.Contains(t, asked, "The whole context as JSON")

	// The fields are numbered by their place: required ones first.
	refused := b.do(t, start, url.Values{"c.0": {"0"}})
	require.Equal(t, http.StatusUnprocessableEntity, refused.status)
	require.Contains(t, refused.body, "context.amount must not be below 1")
	started := b.do(t, start, url.Values{"c.0": {"7"}, "c.2.0": {"1234"}, "c.3": {"broken"}})
	require.Contains(t, started.body, "The task is started.")
	whole := b.do(t, start, url.Values{"c.0": {"7"}, "context": {`{"amount": 8, "note": "n"}`}})
	require.Contains(t, whole.body, "The task is started.")
	require.Equal(t, `{"card": {"last": "1234"}, "kind": "broken", "note": null, "amount": 7}; {"note": "n", "amount": 8}`,
		query[string](t, s, `select string_agg(t.context::text, '; ' order by t.task_uuid) from tasker.list_tasks('shop', 'refund') as l, tasker.get_task(l.task_uuid) as t`))
}
