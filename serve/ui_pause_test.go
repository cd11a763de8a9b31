package serve_test

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/serve"
)

// A person pauses a task with a reason. The page says who has paused it and why, until it is resumed.
func TestUI_PausesAndResumesATask(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, shop)
	task := s.createTask(t, "one")
	path := "/ui/tasks/" + task
	b := s.loggedIn(t, s.token(t, "ops", "operator", "*"))
	paused := func() bool { return query[bool](t, s, "select paused from tasker.get_task($1)", task) }
	logged := func() string {
		return query[string](t, s, "select l.call || ', ' || l.actor || ', ' || l.reason from tasker.list_administration('tasks', $1, p_limit => 1) as l", task)
	}
	offered := func(b *browser) (offers []string) {
		for _, action := range []string{"pause", "resume"} {
			if strings.Contains(b.get(t, path).body, `href="`+path+"/"+action+`"`) {
				offers = append(offers, action)
			}
		}
		return offers
	}
	require.Equal(t, []string{"pause"}, offered(b))
	require.Equal(t, http.StatusUnprocessableEntity, b.do(t, path+"/pause", url.Values{"reason": {" "}}).status)
	require.False(t, paused(), "a pause needs a reason")

	shown := b.do(t, path+"/pause", url.Values{"reason": {"the bank is " + hostile}, "actor": {"ann"}}).body
	require.True(t, paused())
	require.Equal(t, "pause_task, ann, the bank is "+hostile, logged())
	require.Contains(t, shown, "The task is paused.")
	require.Regexp(t, `ann has paused the task <time datetime="[^"]+"[^>]*>[^<]+</time>: the bank is `, shown)
	require.NotContains(t, shown, hostile)
	require.Contains(t, html.UnescapeString(shown), "the bank is "+hostile+". No step of the task starts until the task is resumed.")
	require.Equal(t, []string{"resume"}, offered(b))
	require.Contains(t, b.get(t, path+"/pause").body, "The task is paused already.")
	s.execute(t, "select tasker.change_task($1, 7)", task)
	require.Contains(t, b.get(t, path).body, "ann has paused the task", "a later change does not hide the pause")
	for _, role := range []string{"reader", "worker", "submitter"} {
		other := s.loggedIn(t, s.token(t, role, role, "*"))
		require.Empty(t, offered(other), role)
		require.Contains(t, other.get(t, path).body, "No step of the task starts until the task is resumed.", role)
		require.Contains(t, other.get(t, path+"/resume").body, "The role of your token may not do it.", role)
	}

	require.Contains(t, b.do(t, path+"/resume", url.Values{"reason": {"it is open"}, "actor": {"ben"}}).body, "The task goes on.")
	require.False(t, paused())
	require.Equal(t, "resume_task, ben, it is open", logged())
	require.Equal(t, []string{"pause"}, offered(b))
	require.NotContains(t, b.get(t, path).body, "has paused the task")
	s.execute(t, "select tasker.cancel_task($1, 'over')", task)
	require.Empty(t, offered(b), "a task that has ended is not paused")
}

// A template's page shows the line of each key, and a person skips the failed task that holds up a sequence.
func TestUI_ShowsRunsByKeyAndSkipsABlockedOne(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, shop)
	s.execute(t, `select tasker.register_task_template('{"namespace": "shop", "name": "import", "version": "1.0.0", "identity_strategy": "always_unique",
		"runs": {"key": "$.key", "sequence": true}, "steps": [{"name": "load", "retry": {"max_attempts": 1}}]}')`)
	const path = "/ui/templates/shop/import/1.0.0"
	b := s.loggedIn(t, s.token(t, "ops", "operator", "*"))
	require.Contains(t, b.get(t, path).body, "No task has a place of a key, and none waits for one.")
	create := func(key string) string {
		return query[string](t, s, "select task_uuid::text from tasker.create_task('shop', 'import', jsonb_build_object('key', $1::text))", key)
	}
	first, second, hostileTask := create("7"), create("7"), create(hostile)
	skip := func(b *browser, task string) bool {
		return strings.Contains(b.get(t, path).body, `href="/ui/tasks/`+task+`/skip-run"`)
	}
	shown := b.get(t, path).body
	require.Contains(t, shown, "for a running task")
	require.NotContains(t, shown, hostile)
	require.Contains(t, html.UnescapeString(shown), hostile[:20], "the key stands there, escaped")
	for _, task := range []string{first, second, hostileTask} {
		require.Contains(t, shown, `data-row="/ui/tasks/`+task+`"`)
		require.False(t, skip(b, task))
	}

	s.execute(t, `select tasker.fail_steps(array_agg(c.step_uuid), array_agg(c.claim_no), array_agg('no such file'::text), p_permanent => array_agg(true))
		from tasker.claim_steps('{shop}', gen_random_uuid(), 10) as c where c.task_uuid = $1`, first)
	shown = b.get(t, path).body
	require.Contains(t, shown, "holds up its key")
	require.Contains(t, shown, "for a task that has failed")
	require.True(t, skip(b, first))
	require.False(t, skip(b, second))
	require.Contains(t, b.get(t, "/ui/tasks/"+second+"/skip-run").body, "The task has not failed, and holds up no other task.")
	for _, role := range []string{"reader", "submitter", "worker"} {
		other := s.loggedIn(t, s.token(t, role, role, "*"))
		require.False(t, skip(other, first), role)
		require.Contains(t, other.get(t, "/ui/tasks/"+first+"/skip-run").body, "The role of your token may not do it.", role)
	}

	shown = b.do(t, "/ui/tasks/"+first+"/skip-run", url.Values{"reason": {"the file is gone"}, "actor": {"ann"}}).body
	require.Contains(t, shown, "The task has lost its place")
	require.Contains(t, shown, "Runs by key", "the template's page follows")
	require.Equal(t, `ann, the file is gone, {"run": "skipped"}`, query[string](t, s, "select l.actor || ', ' || l.reason || ', ' || l.becomes::text from tasker.list_administration('runs') as l"))
	s.execute(t, "select tasker.fire_due_timers()")
	require.Equal(t, second+" running", query[string](t, s, "select string_agg(r.task_uuid || ' ' || r.state, ', ') from tasker.list_runs('shop', 'import', '7') as r"))
	require.NotContains(t, b.get(t, path).body, first)

	for i := range 100 {
		create(fmt.Sprint("k", i))
	}
	shown = b.get(t, path).body
	require.Equal(t, 100, strings.Count(shown, "<tr data-row="))
	require.Contains(t, shown, "These are the first 100 tasks.")
	order := query[string](t, s, "select k.version from tasker.list_task_templates('shop') as k where k.name = 'order'")
	require.NotContains(t, b.get(t, "/ui/templates/shop/order/"+order).body, "Runs by key")
}
