package serve_test

import (
	"html"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/serve"
)

// uiScreens are the screens of a site with these tasks.
func uiScreens(blocked, open string) []string {
	return []string{
		"/ui", "/ui?since=7d&namespace=shop", "/ui/tasks", "/ui/tasks?state=blocked_by_failures&tag=x,y&since=24h", "/ui/search", "/ui/search?q=nothing",
		"/ui/tasks/" + blocked, "/ui/tasks/" + blocked + "?show=timeline", "/ui/tasks/" + blocked + "?show=story", "/ui/tasks/" + blocked + "?show=audit",
		"/ui/tasks/" + blocked + "?show=data", "/ui/tasks/" + open, "/ui/tasks/" + open + "/steps/1", "/ui/tasks/" + blocked + "/steps/1",
		"/ui/waits", "/ui/waits?namespace=shop&signal=x&assignee=y", "/ui/events", "/ui/events?namespace=shop&name=x", "/ui/events/emit", "/ui/events/emit?namespace=shop&name=paid&key=17", "/ui/schedules", "/ui/dead-letters", "/ui/dead-letters?status=all&reason=manual_dlq",
		"/ui/workers", "/ui/workers?all=1", "/ui/queues", "/ui/templates", "/ui/templates?namespace=shop", "/ui/templates/shop/order/0.1.0",
		"/ui/partitions", "/ui/health", "/ui/settings", "/ui/settings/result_bytes/set", "/ui/dead-letters/requeue?reason=x&namespace=shop", "/ui/selection?action=cancel&task=" + open, "/ui/tasks/reset?state=error", "/ui/tasks/fork?namespace=shop", "/ui/mass", "/ui/mass?state=stopped",
	}
}

func TestUI_ShowsEveryScreenToEveryRole(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, shop)
	blocked := query[string](t, s, "select tasker_test.make_task_in('blocked_by_failures')::text")
	open := s.createTask(t, "one")
	for _, role := range []string{"submitter", "worker", "orchestrator", "operator", "reader"} {
		all, own, none := s.loggedIn(t, s.token(t, role, role, "*")), s.loggedIn(t, s.token(t, role+"-own", role, "shop")), s.loggedIn(t, s.token(t, role+"-none", role))
		for _, path := range uiScreens(blocked, open) {
			a := all.get(t, path)
			if a.status != http.StatusForbidden {
				requirePage(t, a, http.StatusOK, role+" "+path)
			}
			if role == "operator" || role == "reader" && !strings.Contains(path, "/reset") && !strings.Contains(path, "/requeue") {
				require.Equal(t, http.StatusOK, a.status, "%s %s: %s", role, path, told(a.body))
			}
			foreign := own.get(t, path)
			require.NotEqual(t, http.StatusInternalServerError, foreign.status, "%s %s: %s", role, path, told(foreign.body))
			require.False(t, strings.Contains(without(foreign.body, path), blocked[24:32]), "%s in its namespace sees nothing of another: %s", role, path)
			nothing := none.get(t, path)
			require.NotEqual(t, http.StatusInternalServerError, nothing.status, "%s %s: %s", role, path, told(nothing.body))
			require.False(t, strings.Contains(without(nothing.body, path), open[24:32]), "%s without namespaces: %s", role, path)
		}
	}
}

// Two browsers ask for all screens at once. make test runs this test with the race detector, and the sequential ones without it.
func TestServe_ScreensAreAskedForAtOnce(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, shop)
	screens := uiScreens(query[string](t, s, "select tasker_test.make_task_in('blocked_by_failures')::text"), s.createTask(t, "one"))
	got := map[string][]string{}
	var all sync.WaitGroup
	var lock sync.Mutex
	for _, name := range []string{"one", "two"} {
		session := &http.Cookie{Name: "pgtasker_session", Value: s.token(t, name, "operator", "*")}
		all.Go(func() {
			for _, path := range screens {
				status := "no answer"
				r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+path, nil)
				if err == nil {
					r.AddCookie(session)
					if a, err := s.http.Do(r); err == nil {
						_, _ = io.Copy(io.Discard, a.Body)
						_ = a.Body.Close()
						status = a.Status
					}
				}
				lock.Lock()
				got[name] = append(got[name], status+" "+path)
				lock.Unlock()
			}
		})
	}
	all.Wait()
	var want []string
	for _, path := range screens {
		want = append(want, "200 OK "+path)
	}
	require.Equal(t, map[string][]string{"one": want, "two": want}, got)
}

// A task that is undone says so, and its graph leads from its steps to what undoes them.
func TestUI_ShowsCompensations(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, `select from tasker.register_task_template('{"namespace": "shop", "name": "trip", "identity_strategy": "always_unique", "steps": [
		{"name": "hotel", "compensate": "cancel_hotel"}, {"name": "pay", "dependencies": ["hotel"]}]}')`)
	task := query[string](t, s, "select task_uuid::text from tasker.create_task('shop', 'trip')")
	s.execute(t, `select from tasker.claim_step(tasker.step_uuid('`+task+`', 1), gen_random_uuid()) as c
		cross join lateral tasker.complete_steps(array[c.step_uuid], array[c.claim_no], array['{}']::jsonb[])`)
	s.execute(t, `select tasker.cancel_task('`+task+`', 'ill', 'ann')`)
	s.execute(t, "select tasker.fire_due_timers()")
	s.execute(t, "select tasker.fire_due_timers()")
	c := s.loggedIn(t, s.token(t, "reader", "reader", "*"))
	page := c.get(t, "/ui/tasks/"+task).body
	require.Contains(t, page, "Cancel by ann: the task is being undone.")
	require.Contains(t, page, `class="edge undo`)
	require.Contains(t, page, "undoes 1</a>")
	require.Contains(t, c.get(t, "/ui/tasks/"+task+"/steps/3").body, `<dt>Undoes</dt><dd><a href="/ui/tasks/`+task+`/steps/1">step 1</a>`)
	require.Contains(t, c.get(t, "/ui/tasks/"+task+"/steps/1").body, "Step &#34;undo hotel&#34; undoes it: enqueued.")
	require.Contains(t, c.get(t, "/ui/templates/shop/trip/0.1.0").body, "undone by cancel_hotel")
}

// without returns a page without the address that the browser itself gave.
func without(body, path string) string { return strings.ReplaceAll(body, html.EscapeString(path), "") }

func TestUI_RefusesFormsThatAreNotOfItsSession(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, shop)
	task := s.createTask(t, "one")
	b, other := s.loggedIn(t, s.token(t, "ops", "operator", "*")), s.loggedIn(t, s.token(t, "ops2", "operator", "*"))
	path := "/ui/tasks/" + task + "/cancel"
	theirs := csrfField.FindStringSubmatch(other.get(t, path).body)[1]
	ours := csrfField.FindStringSubmatch(b.get(t, path).body)[1]
	require.NotEqual(t, theirs, ours)
	for _, csrf := range []string{"", "x", theirs} {
		requirePage(t, b.send(t, http.MethodPost, path, url.Values{"csrf": {csrf}, "reason": {"test"}}), http.StatusForbidden, path)
	}
	requirePage(t, b.send(t, http.MethodPost, path, url.Values{"csrf": {ours}, "reason": {"test"}}, "Sec-Fetch-Site", "cross-site"), http.StatusForbidden, path)
	require.Equal(t, http.StatusSeeOther, s.browser().send(t, http.MethodPost, path, url.Values{"csrf": {ours}, "reason": {"test"}}).status, "a request without a session is redirected")
	requirePage(t, b.send(t, http.MethodPost, path, url.Values{"csrf": {ours}, "reason": {" "}}), http.StatusUnprocessableEntity, path)
	require.NotEqual(t, "cancelled", query[string](t, s, "select state::text from tasker.get_task($1)", task))

	done := b.do(t, path, url.Values{"reason": {"the customer called"}, "actor": {"ann"}})
	requirePage(t, done, http.StatusOK, path)
	require.Contains(t, done.body, "The task is cancelled.")
	require.NotContains(t, b.get(t, "/ui/tasks/"+task).body, "The task is cancelled.", "a message is shown once")
	require.Equal(t, "ann, token ops", query[string](t, s, "select actor from tasker.get_task_history($1) where event = 'Cancel' and step_no is null", task))
}

func TestUI_ReadOnlyRefusesActions(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{ReadOnly: true})
	s.execute(t, shop)
	task := s.createTask(t, "one")
	b := s.loggedIn(t, s.token(t, "ops", "operator", "*"))
	require.Contains(t, b.get(t, "/ui/tasks").body, "read-only")
	asked := b.get(t, "/ui/tasks/"+task+"/cancel")
	require.Contains(t, asked.body, "it refuses actions")
	require.NotContains(t, asked.body, `name="reason"`)
	// A form that was made elsewhere is refused by the database.
	elsewhere := newSiteOn(t, s.admin, serve.Config{})
	again := elsewhere.browser()
	again.cookies = b.cookies
	csrf := csrfField.FindStringSubmatch(again.get(t, "/ui/tasks/"+task+"/cancel").body)[1]
	a := b.send(t, http.MethodPost, "/ui/tasks/"+task+"/cancel", url.Values{"csrf": {csrf}, "reason": {"test"}})
	require.Equal(t, http.StatusForbidden, a.status)
	require.Contains(t, a.body, "the server is read-only")
}

var tag = regexp.MustCompile(`<[^>]*>`)

// The page of a step says the size of a result of more than half of the setting result_bytes.
func TestUI_MarksALargeResult(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, `select tasker.set_setting('result_bytes', '2000')`)
	s.execute(t, `select tasker.register_task_template('{"namespace": "shop", "name": "order", "steps": [{"name": "a"}, {"name": "b"}, {"name": "c"}]}')`)
	task := query[string](t, s, "select task_uuid::text from tasker.create_task('shop', 'order')")
	for no, xs := range map[int]int{1: 999, 2: 998} { // and two quotation marks
		s.execute(t, "select tasker.complete_step_manually(tasker.step_uuid($1, $2), to_jsonb(repeat('x', $3)), 'test')", task, no, xs)
	}
	b := s.loggedIn(t, s.token(t, "ann", "reader", "shop"))
	for no, large := range map[string]bool{"1": true, "2": false, "3": false} {
		a := b.get(t, "/ui/tasks/"+task+"/steps/"+no)
		require.Equal(t, http.StatusOK, a.status)
		require.Equal(t, large, strings.Contains(a.body, `id="large">1001 B: more than half`), "step %s: %s", no, told(a.body))
		require.Equal(t, large, strings.Contains(a.body, `id="large"`), "step %s", no)
	}
}

// What a person reads of a SQL step is the function of the database, and not the handler that stands for it.
func TestUI_NamesTheFunctionOfASQLStep(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, `create function public.reserve(p_input jsonb) returns jsonb language plpgsql as $$ begin raise exception 'no stock'; end; $$`)
	pgtest.StepsRole(t, s.admin)
	s.execute(t, `select tasker.register_namespace('shop')`)
	s.execute(t, `select tasker.bind_sql_role('shop', 'pgtest_steps')`)
	s.execute(t, `select tasker.register_task_template('{"namespace": "shop", "name": "order", "steps": [
		{"name": "reserve", "sql": "public.reserve", "retry": {"retryable": false}}, {"name": "ship", "handler": "ship", "dependencies": ["reserve"]}]}')`)
	task := query[string](t, s, "select task_uuid::text from tasker.create_task('shop', 'order')")
	require.EqualValues(t, 1, query[int](t, s, "select failed from tasker.run_sql_steps()"))
	s.execute(t, "select tasker.pause_handler('shop', 'sql:public.reserve', p_until => clock_timestamp() + interval '1 hour', p_actor => 'ada')")
	s.execute(t, "update tasker.handler_pauses set until = clock_timestamp() - interval '1 hour'")
	s.execute(t, "select tasker.judge_incidents()")
	b := s.loggedIn(t, s.token(t, "ops", "operator", "*"))
	for path, says := range map[string]string{
		"/ui/tasks/" + task:                          "SQL function public.reserve",
		"/ui/tasks/" + task + "/steps/1":             "SQL function public.reserve",
		"/ui/templates/shop/order/0.1.0":             "SQL function public.reserve",
		"/ui/handlers/shop/sql:public.reserve/pause": "SQL function public.reserve of namespace shop.",
		"/ui/health": "SQL function public.reserve of shop is paused past its end",
		"/ui":        "SQL function public.reserve",
	} {
		a := b.get(t, path)
		requirePage(t, a, http.StatusOK, path)
		read := strings.Join(strings.Fields(tag.ReplaceAllString(a.body, " ")), " ")
		require.Contains(t, read, says, path)
		if !strings.Contains(path, "/templates/") { // That screen ends with the template as it is stored.
			before, _, found := strings.Cut(read, "sql:public.reserve")
			require.False(t, found, "%s: …%s", path, before[max(0, len(before)-200):])
		}
	}
	require.NotContains(t, b.get(t, "/ui/tasks/"+task+"/steps/2").body, "SQL function")
}
