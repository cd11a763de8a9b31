package serve_test

import (
	"bufio"
	"context"
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/serve"
)

// hostile is text that would be markup if it were not escaped.
const hostile = `"><script>alert(1)</script><img src=x onerror=alert(2)>'&{{.}}`

func TestUI_EscapesWhatOthersHaveWritten(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, shop)
	task := query[string](t, s, `select task_uuid::text from tasker.create_task('shop', 'order', jsonb_build_object('x', $1::text), p_identity_key => $1, p_tags => array[$1],
		p_initiator => $1, p_source_system => $1, p_reason => $1, p_headers => jsonb_build_object('h', $1::text))`, hostile)
	s.execute(t, "select tasker.register_worker('22222222-2222-4222-8222-222222222222', $1, '{shop}', '{a}')", hostile)
	s.execute(t, "select tasker.complete_step_manually(tasker.step_uuid($1, 1), to_jsonb($2::text), $2, $2)", task, hostile)
	s.execute(t, "select tasker.pause_namespace('shop', $1)", hostile)
	s.execute(t, "select tasker.create_dlq_entry($1, p_notes => $2)", task, hostile)
	b := s.loggedIn(t, s.token(t, "ops", "operator", "*"))
	paths := append(uiScreens(task, task), "/ui/tasks/"+task+"/steps/2/signal?signal="+url.QueryEscape(hostile))
	for _, parameter := range []string{"/ui/search?q=", "/ui/tasks?tag=", "/ui/waits?assignee=", "/ui/waits?signal=", "/ui/dead-letters?reason=", "/ui/login?next="} {
		paths = append(paths, parameter+url.QueryEscape(hostile))
	}
	for _, path := range paths {
		a := b.get(t, path)
		if a.status == http.StatusSeeOther {
			continue // A search that found the only task.
		}
		requirePage(t, a, a.status, path)
		require.NotEqual(t, http.StatusInternalServerError, a.status, "%s: %s", path, told(a.body))
		require.False(t, strings.Contains(a.body, "<script>alert") || strings.Contains(a.body, "<img"), path)
	}
	// What comes back of a form is escaped, too.
	asked := csrfField.FindStringSubmatch(b.get(t, "/ui/tasks/"+task+"/steps/2/complete").body)
	refused := b.send(t, http.MethodPost, "/ui/tasks/"+task+"/steps/2/complete", url.Values{"csrf": {asked[1]}, "reason": {hostile}, "actor": {hostile}, "results": {hostile}})
	requirePage(t, refused, http.StatusUnprocessableEntity, "complete")
	require.Contains(t, refused.body, "The result is not JSON")
	require.Contains(t, refused.body, "&lt;script&gt;alert(1)", "what was entered stays in the form")
}

func TestUI_DoesWhatOperatorsDo(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, contractFixture)
	b := s.loggedIn(t, s.token(t, "ops", "operator", "*"))
	blocked := func() string { return query[string](t, s, blockedTask) }
	failed := func() (task, no string) {
		step := query[string](t, s, failedStep)
		return step[:32] + "0000", query[string](t, s, "select tasker.step_no_of($1)::text", step)
	}
	done := func(path, says string, form url.Values) {
		t.Helper()
		form.Set("reason", "test")
		a := b.do(t, path, form)
		requirePage(t, a, http.StatusOK, path)
		require.Contains(t, told(a.body), says, path)
	}
	done("/ui/tasks/"+blocked()+"/reset", "The task goes on", url.Values{})
	done("/ui/tasks/"+blocked()+"/resolve", "resolved by hand", url.Values{})
	done("/ui/tasks/"+blocked()+"/give-up", "The task has failed", url.Values{})
	task, no := failed()
	done("/ui/tasks/"+task+"/steps/"+no+"/retry", "The step runs again", url.Values{})
	task, no = failed()
	done("/ui/tasks/"+task+"/steps/"+no+"/complete", "The step is complete", url.Values{"results": {`{"n": 12345678901234567890}`}})
	require.Contains(t, query[string](t, s, "select results::text from tasker.list_steps($1) where step_no = $2::integer", task, no), "12345678901234567890")
	require.Contains(t, told(b.get(t, "/ui/tasks/"+task+"/steps/"+no+"/complete").body), "Correct the result", "another result is refused with the remedy")
	done("/ui/tasks/"+task+"/steps/"+no+"/correct", "what depends on it runs again", url.Values{"results": {`{"n": 12345678901234567891}`}})
	require.Contains(t, query[string](t, s, "select results::text from tasker.list_steps($1) where step_no = $2::integer", task, no), "12345678901234567891")
	asked := told(b.get(t, "/ui/tasks/"+task+"/steps/"+no+"/rerun").body)
	for _, item := range query[[]string](t, s, "select array_agg(name) from tasker.preview_rerun(tasker.step_uuid($1, $2::integer))", task, no) {
		require.Contains(t, asked, item, "the question names the steps that run again")
	}
	done("/ui/tasks/"+task+"/steps/"+no+"/rerun", "The step runs again, with all that depends on it", url.Values{})
	require.Contains(t, b.get(t, "/ui/tasks/"+task+"/steps/"+no).body, ">Replaced ", "the step says which result was replaced")
	task, no = failed()
	done("/ui/tasks/"+task+"/steps/"+no+"/resolve", "resolved by hand", url.Values{})
	done("/ui/selection?action=reset&task="+blocked()+"&task="+blocked(), "2 tasks chosen one by one: they are being reset.", url.Values{})
	done("/ui/selection?action=cancel&task="+blocked()+"&task="+blocked(), "2 tasks chosen one by one: they are being cancelled.", url.Values{})
	blocked()
	done("/ui/tasks/reset?state=blocked_by_failures", "tasks in state blocked_by_failures: they are being reset.", url.Values{})
	set := query[string](t, s, "select max(selection_uuid::text) from tasker.list_mass_actions('running')")
	done("/ui/mass/"+set+"/stop", "The mass action is stopped.", url.Values{})
	done("/ui/mass/"+set+"/resume", "The mass action goes on.", url.Values{})
	done("/ui/handlers/shop/a/pause", "Handler a is paused.", url.Values{"hours": {"2"}})
	done("/ui/handlers/shop/a/resume", "Handler a runs again.", url.Values{})
	done("/ui/dead-letters/"+query[string](t, s, investigated)+"/requeue", "The task goes on", url.Values{})
	done("/ui/dead-letters/"+query[string](t, s, investigated)+"/resolve", "The investigation is closed", url.Values{"status": {"permanently_failed"}})
	done("/ui/namespaces/quiet/pause", "is paused", url.Values{})
	done("/ui/namespaces/quiet/resume", "runs again", url.Values{})
	done("/ui/templates/shop/old/0.1.0/retire", "is retired", url.Values{})
	s.execute(t, "select tasker.set_schedule('shop', 'nightly', 'order', p_cron => '0 3 * * *'); select tasker.set_limit('shop', 'carrier', 5)")
	done("/ui/schedules/shop/nightly/pause", "is paused", url.Values{})
	done("/ui/schedules/shop/nightly/resume", "ticks again", url.Values{})
	done("/ui/limits/shop/carrier/set", "7 at a time", url.Values{"concurrency": {"7"}, "per": {"1"}, "burst": {"1"}})
	require.Contains(t, b.get(t, "/ui/templates/shop/old/0.1.0/retire").body, "There is nothing to do", "a repeated action reports that there is nothing to do")
}

func TestUI_FindsATaskByAnyOfItsNames(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, shop)
	const correlation = "6f1c3a52-7d0e-4b19-9a31-0f6f6a1c2b3d"
	task := query[string](t, s, `select task_uuid::text from tasker.create_task('shop', 'order', '{}', p_identity_key => 'A-17', p_tags => '{urgent,eu}', p_correlation_id => $1)`, correlation)
	s.execute(t, "select tasker.create_task('shop', 'order', '{}', p_identity_key => 'A-18', p_tags => '{eu}')")
	entry := query[string](t, s, "select tasker.create_dlq_entry($1)::text", task)
	b := s.loggedIn(t, s.token(t, "ops", "operator", "*"))
	for known, to := range map[string]string{
		task: "/ui/tasks/" + task, strings.ToUpper(task): "/ui/tasks/" + task, task[:35] + "2": "/ui/tasks/" + task + "/steps/2", entry: "/ui/dead-letters/" + entry,
		task[24:32]: "/ui/tasks/" + task, "A-17": "/ui/tasks/" + task, "key:A-17": "/ui/tasks/" + task, "urgent": "/ui/tasks/" + task, " tag: urgent ": "/ui/tasks/" + task, correlation: "/ui/tasks/" + task,
	} {
		a := b.send(t, http.MethodGet, "/ui/search?q="+url.QueryEscape(known), nil)
		require.Equal(t, http.StatusSeeOther, a.status, "%s: %s", known, told(a.body))
		require.Equal(t, to, a.header.Get("Location"), known)
	}
	both := b.get(t, "/ui/search?q=eu")
	requirePage(t, both, http.StatusOK, "search")
	require.Contains(t, both.body, "/ui/tasks/"+task)
	require.Equal(t, 2, strings.Count(both.body, "data-row="), "both tasks with the tag")
	for _, unknown := range []string{"tag:A-17", "key:urgent", "ffff", correlation[:35] + "e", "' or true --"} {
		requireSays(t, b.get(t, "/ui/search?q="+url.QueryEscape(unknown)), "Nothing was found")
	}
}

func TestUI_RequeuesDeadLetters(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, contractFixture)
	b := s.loggedIn(t, s.token(t, "ops", "operator", "*"))
	notes := func() url.Values { return url.Values{"reason": {"the bank is open again"}} }

	// The ticked tasks are reset. One of them cannot go on, and the page says so.
	one, two := query[string](t, s, investigated), query[string](t, s, investigated)
	s.execute(t, "select tasker.cancel_task(task_uuid) from tasker.get_dlq_entry($1)", two)
	selected := "/ui/dead-letters/selection?entry=" + one + "&entry=" + two
	requireSays(t, b.get(t, selected), "2 open dead letters chosen one by one.")
	atOnce := notes()
	atOnce.Set("at_once", "true")
	requireSays(t, b.do(t, selected, atOnce), "2 open dead letters chosen one by one: they are being requeued.")
	massDuty(t, s)
	require.Contains(t, query[string](t, s, "select resolution_notes from tasker.get_dlq_entry($1)", one), "the bank is open again (mass action ")
	require.Equal(t, "1 skipped", query[string](t, s, "select skipped || ' skipped' from tasker.list_mass_actions()"), "the one that cannot go on")
	requirePage(t, b.get(t, "/ui/dead-letters/selection"), http.StatusUnprocessableEntity, "nothing is selected")
	requirePage(t, b.get(t, "/ui/dead-letters/selection?entry=x"), http.StatusUnprocessableEntity, "no id")

	// All that match: listed before, counted after.
	query[string](t, s, investigated)
	requireSays(t, b.get(t, "/ui/dead-letters"), "/ui/dead-letters/requeue\"")
	requireSays(t, b.get(t, "/ui/dead-letters/requeue?namespace=quiet"), "No open dead letter matches.")
	const matching = "/ui/dead-letters/requeue?reason=manual_dlq"
	const pending = "select count(*)::text from tasker.list_dlq_entries(p_resolution_status => 'pending')"
	requireSays(t, b.get(t, matching), "2 open dead letters opened for reason manual_dlq.")
	require.Equal(t, "2", query[string](t, s, pending), "the question changes nothing")
	requireSays(t, b.do(t, matching, notes()), "2 open dead letters opened for reason manual_dlq: they are being requeued.")
	massDuty(t, s)
	require.Equal(t, "1", query[string](t, s, pending))
	reader := s.loggedIn(t, s.token(t, "looks", "reader", "*"))
	require.NotContains(t, reader.get(t, "/ui/dead-letters").body, "Requeue selected")
}

// massDuty does what tasker orchestrate does about mass actions.
func massDuty(t *testing.T, s *site) {
	t.Helper()
	// The server's own duties take turns with it: no row means that it was not its turn.
	for range 10000 {
		if query[string](t, s, "select coalesce((select d.more_due::text from tasker.run_maintenance('mass_actions') as d), 'busy')") == "false" {
			return
		}
	}
	t.Fatal("the duty has more to do than it should")
}

// requireSays fails the test unless a page says this.
func requireSays(t *testing.T, a screen, says string) {
	t.Helper()
	requirePage(t, a, http.StatusOK, says)
	require.Contains(t, mainOf(a.body), says)
}

func TestUI_EmitsAnEvent(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, shop)
	s.execute(t, `select tasker.register_task_template('{"namespace": "shop", "name": "trade", "identity_strategy": "always_unique", "steps": [
		{"name": "open", "await": {"event": "market_open", "key": "$.market"}}]}')`)
	s.execute(t, `select from tasker.create_tasks('shop', 'trade', array['{"market": "<b>"}', '{"market": "<b>"}', '{"market": "LSE"}']::jsonb[])`)
	b := s.loggedIn(t, s.token(t, "desk", "submitter", "shop"))
	requireSays(t, b.get(t, "/ui/events"), "No event is kept")
	inbox := b.get(t, "/ui/waits")
	requireSays(t, inbox, "Emit market_open")
	const form = "/ui/events/emit?key=%3Cb%3E&name=market_open&namespace=shop"
	require.Contains(t, inbox.body, html.EscapeString(form), "the inbox leads to the form")
	requireSays(t, b.get(t, form), "2 steps wait for it now")
	entered := func(name, payload string) url.Values {
		return url.Values{"namespace": {"shop"}, "name": {name}, "event_key": {"<b>"}, "payload": {payload}, "idempotency_key": {"once"}}
	}
	for _, refused := range []url.Values{entered("market_open", "{"), entered("no name", "{}"), entered("market_open", `"`+strings.Repeat("x", 16<<10)+`"`)} {
		a := b.do(t, form, refused)
		require.GreaterOrEqual(t, a.status, 400, told(a.body))
		require.Less(t, a.status, 500, told(a.body))
	}
	requireSays(t, b.do(t, form, entered("market_open", `{"at": "09:00"}`)), "The event is emitted. Workers deliver it.")
	requireSays(t, b.do(t, form, entered("market_open", `{"at": "09:00"}`)), "The event was emitted before; nothing was changed.")
	requireSays(t, b.get(t, "/ui/events"), "not yet")
	require.Equal(t, "token desk", query[string](t, s, "select sent_by from tasker.list_events()"))
	s.execute(t, "select tasker.orchestrate()")
	s.execute(t, "select tasker.orchestrate()")
	require.Equal(t, "2", query[string](t, s, `select count(*)::text from tasker.list_tasks() where state = 'complete'`))
	require.Equal(t, "2", query[string](t, s, `select receivers::text from tasker.list_events('shop', 'market_open', '<b>') where delivered_at is not null`))
	requireSays(t, b.get(t, "/ui/events?name=market_open"), "shop/market_open")
	requireSays(t, b.get(t, "/ui/events?name=other"), "No event that matches is kept")

	s.execute(t, "select tasker.register_namespace('quiet')")
	foreign := s.loggedIn(t, s.token(t, "other", "operator", "quiet"))
	require.Equal(t, http.StatusForbidden, foreign.do(t, "/ui/events/emit", entered("market_open", "{}")).status)
	reader := s.loggedIn(t, s.token(t, "looks", "reader", "*"))
	requireSays(t, reader.get(t, form), "The role of your token may not do it.")
	require.NotContains(t, reader.get(t, "/ui/events").body, "Emit an event")
}

func TestUI_BackfillsASchedule(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, contractFixture)
	b := s.loggedIn(t, s.token(t, "ops", "operator", "*"))
	s.execute(t, "select tasker.set_schedule('shop', 'nightly', 'return', p_cron => '0 3 * * *')")
	times := func(from, until string) url.Values {
		return url.Values{"from": {from}, "until": {until}, "overlap": {"one_by_one"}}
	}
	const schedule = "/ui/schedules/shop/nightly"
	requirePage(t, b.do(t, schedule+"/backfill", times("yesterday", "2020-01-03T00:00")), http.StatusUnprocessableEntity, "no time")
	requirePage(t, b.do(t, schedule+"/backfill", times("2020-01-03T00:00", "2020-01-01T00:00")), http.StatusUnprocessableEntity, "no tick")
	requireSays(t, b.do(t, schedule+"/backfill", times("2020-01-01T00:00", "2020-01-03T12:00")), "The backfill begins with the tick of 2020-01-01 03:00:00 UTC.")
	requireSays(t, b.get(t, schedule), "End the backfill…")
	requireSays(t, b.get(t, schedule+"/backfill"), "A backfill runs already.")
	requireSays(t, b.do(t, schedule+"/end-backfill", url.Values{}), "The backfill has ended.")
	requireSays(t, b.get(t, schedule+"/end-backfill"), "No backfill runs.")
}

func TestUI_ChangesSettings(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, shop)
	b := s.loggedIn(t, s.token(t, "ops", "operator", "*"))
	const setting = "/ui/settings/result_bytes"
	const restores = `aria-label="Restore result_bytes"`
	require.NotContains(t, b.get(t, "/ui/settings").body, restores)
	requireSays(t, b.get(t, setting+"/restore"), "The setting has its default.")
	requirePage(t, b.do(t, setting+"/set", url.Values{"value": {"-1"}}), http.StatusUnprocessableEntity, "out of bounds")
	requireSays(t, b.do(t, setting+"/set", url.Values{"value": {"2000000"}}), "result_bytes was")
	require.Equal(t, "2000000", query[string](t, s, "select value from tasker.list_settings() where name = 'result_bytes'"))
	require.Contains(t, b.get(t, "/ui/settings").body, restores)
	requireSays(t, b.do(t, setting+"/restore", url.Values{}), "result_bytes was 2000000")
	require.NotContains(t, b.get(t, "/ui/settings").body, restores)
	requirePage(t, b.get(t, "/ui/settings/nothing/set"), http.StatusNotFound, "no such setting")
	reader := s.loggedIn(t, s.token(t, "looks", "reader", "*"))
	requireSays(t, reader.get(t, setting+"/set"), "The role of your token may not do it.")
}

func TestServe_HintsAtChanges(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, shop)
	task := s.createTask(t, "one")
	token := s.token(t, "ops", "operator", "*")
	b := s.loggedIn(t, token)
	ctx, cancel := context.WithTimeout(t.Context(), within)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+"/ui/tasks/"+task, nil)
	require.NoError(t, err)
	r.Header.Set("Accept", "text/event-stream")
	r.AddCookie(&http.Cookie{Name: "pgtasker_session", Value: token})
	response, err := b.http.Do(r)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	require.Equal(t, "text/event-stream", response.Header.Get("Content-Type"))
	lines := bufio.NewScanner(response.Body)
	next := func() (event, data string) {
		for lines.Scan() {
			if name, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
				require.True(t, lines.Scan())
				return name, strings.TrimPrefix(lines.Text(), "data: ")
			}
		}
		require.NoError(t, lines.Err())
		return "", ""
	}
	event, first := next()
	require.Equal(t, "mark", event)
	require.Contains(t, b.get(t, "/ui/tasks/"+task).body, `data-mark="`+first+`"`, "the page has the same mark")
	s.execute(t, "select tasker.cancel_task($1)", task)
	event, second := next()
	require.Equal(t, "mark", event)
	require.NotEqual(t, first, second)
	s.execute(t, "select tasker.revoke_token('ops')")
	event, _ = next()
	require.Equal(t, "gone", event, "a stream ends with its token")
}
