package serve_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/serve"
)

// A person erases a task that has ended, with a reason, and confirms it with the number of its steps.
func TestUI_ErasesATask(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, `select tasker.register_task_template('{"namespace": "shop", "name": "sale", "identity_strategy": "always_unique",
		"steps": [{"name": "charge"}, {"name": "ship", "dependencies": ["charge"]}]}')`)
	task := query[string](t, s, `select task_uuid::text from tasker.create_task('shop', 'sale', '{"name": "Ada"}')`)
	b := s.loggedIn(t, s.token(t, "ops", "operator", "*"))
	path := "/ui/tasks/" + task

	require.NotContains(t, b.get(t, path).body, "Erase…")
	require.Contains(t, b.get(t, path+"/erase").body, "The task has not ended. Cancel it first.")
	s.execute(t, `select tasker.cancel_task($1, 'the customer leaves')`, task)
	require.Contains(t, b.get(t, path).body, "Erase…")
	asked := b.get(t, path+"/erase").body
	require.Contains(t, asked, "of the task and its 2 steps are gone for good")
	require.Contains(t, asked, "To confirm: 2.")

	wrong := b.do(t, path+"/erase", url.Values{"steps": {"3"}, "reason": {"request 17"}})
	require.Equal(t, http.StatusUnprocessableEntity, wrong.status)
	require.Contains(t, wrong.body, "The task has 2 steps; nothing was changed.")
	require.Equal(t, `{"name": "Ada"}`, query[string](t, s, `select context::text from tasker.get_task($1)`, task))

	require.Contains(t, b.do(t, path+"/erase", url.Values{"steps": {"2"}, "reason": {"request 17"}, "actor": {"ann"}}).body, "The data of 1 task are erased.")
	require.Equal(t, `{"erased": true}`, query[string](t, s, `select context::text from tasker.get_task($1)`, task))
	require.Equal(t, "request 17", query[string](t, s, `select reason from tasker.list_erasures($1)`, task))
	after := b.get(t, path).body
	require.Contains(t, after, "The data of the task were erased")
	for _, gone := range []string{"Erase…", "Fork…", "Ada"} {
		require.NotContains(t, after, gone)
	}
	require.Contains(t, b.get(t, path+"/erase").body, "The task was erased already.")
}
