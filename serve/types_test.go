package serve_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/serve"
)

// A program that the server refuses because of its types is noted under its token, and the check of the template names it.
func TestServe_NotesTheProgramThatWasRefused(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	template := func(kind string) string {
		return `{"namespace": "shop", "name": "sale", "version": "1", "steps": [{"name": "pay", "handler": "card"}], "types": {"pay": "` + kind + `"}}`
	}
	s.execute(t, "select tasker.register_namespace('shop')")
	first, second := s.token(t, "first", "orchestrator", "*"), s.token(t, "second", "orchestrator", "shop")
	require.Equal(t, http.StatusOK, s.send(t, first, http.MethodPost, "/v1/templates", template("int")).status)
	s.send(t, second, http.MethodPost, "/v1/templates", template("string")).problem(t, http.StatusConflict)
	require.Equal(t, "token second (logged in: "+s.login+")", query[string](t, s, "select refused_by from tasker.list_refused_programs()"))
	require.Equal(t, "token first (logged in: "+s.login+")", query[string](t, s, "select registered_by from tasker.list_refused_programs()"))
	var findings struct {
		Items []struct{ Kind, Status, Handler, Finding string } `json:"items"`
	}
	s.send(t, first, http.MethodPost, "/v1/templates/check", template("int")).into(t, http.StatusOK, &findings)
	warned := 0
	for _, f := range findings.Items {
		if f.Kind == "types" && f.Status == "warn" {
			warned++
			require.Equal(t, "card", f.Handler)
			require.Regexp(t, `^version "1" was refused once to a program with types [0-9a-f]{12} \(.*token second .*, last at .*\): it is registered with types [0-9a-f]{12} \(token first .*\), handler card: the result of "pay" is int, not string$`, f.Finding)
		}
	}
	require.Equal(t, 1, warned)

	// Other content is a conflict, too, but none of types.
	s.send(t, second, http.MethodPost, "/v1/templates", strings.Replace(template("int"), "card", "cash", 1)).problem(t, http.StatusConflict)
	require.Equal(t, 1, query[int](t, s, "select count(*) from tasker.refused_programs"))
}

var storyRow = regexp.MustCompile(`(?s)<tr><td>(?:<a href="([^"]*)"><b>([^<]*)</b></a>|–)</td><td class="nowrap">([^<]*)</td><td>([^<]*)(?:<span class="aside"> ([^<]*)</span>)?</td>`)

// The timeline of a task has a table of its critical path: each part with its step, how long it took and where the time went.
func TestUI_ShowsWhereTheTimeWent(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	// In one transaction, as the tests of the engine have it.
	s.execute(t, `
		select tasker_test.freeze('2040-01-01 12:00:00+00');
		select tasker.ensure_partitions();
		select tasker_test.create_waiting('order', '[
			{"name": "pay", "retry": {"max_attempts": 2, "base_seconds": 60, "backoff": "constant"}}, {"name": "pack"},
			{"name": "approve", "dependencies": ["pay", "pack"], "await": {"signal": "ok"}}, {"name": "ship", "dependencies": ["approve"]}]');
		select tasker_test.pass('10 seconds');
		select tasker_test.claim('pay', 'pack');
		select tasker_test.pass('5 seconds');
		select tasker_test.finish('pack');
		select tasker_test.fail_for_good('pay', false);
		select tasker_test.pass('60 seconds');
		select tasker.fire_due_timers();
		select tasker_test.pass('2 seconds');
		select tasker_test.claim('pay');
		select tasker_test.pass('3 seconds');
		select tasker_test.finish('pay');
		select tasker_test.pass('1 hour');
		select tasker_test.signal('ok');
		select tasker_test.pass('4 seconds');
		select tasker_test.claim('ship');
		select tasker_test.pass('1 second');
		select tasker_test.finish('ship');
		select tasker_test.orchestrate();`)
	task := query[string](t, s, "select task_uuid::text from tasker.tasks")
	page := s.loggedIn(t, s.token(t, "reader", "reader", "*")).get(t, "/ui/tasks/"+task+"?show=timeline").body
	require.Contains(t, page, `<h2 id="path">Where the time went</h2>`)
	var have [][]string
	for _, row := range storyRow.FindAllStringSubmatch(page, -1) {
		have = append(have, row[1:5])
	}
	at := "/ui/tasks/" + task + "/steps/"
	require.Equal(t, [][]string{
		{at + "1", "pay", "10 s", "waiting for workers"},
		{at + "1", "pay", "5 s", "running"},
		{at + "1", "pay", "1 min", "waiting for retries"},
		{at + "1", "pay", "2 s", "waiting for workers"},
		{at + "1", "pay", "3 s", "running"},
		{at + "3", "approve", "1 h", "waiting for people"},
		{at + "4", "ship", "4 s", "waiting for workers"},
		{at + "4", "ship", "1 s", "running"},
	}, have, page)
	var sums []string
	for _, tag := range regexp.MustCompile(`<span class="tag">([^<]*, \d+ %)</span>`).FindAllStringSubmatch(page, -1) {
		sums = append(sums, tag[1])
	}
	require.Equal(t, []string{"waiting for people 1 h, 98 %", "waiting for retries 1 min, 2 %", "waiting for workers 16 s, 0 %", "running 9 s, 0 %"}, sums, "the most first")

	// The timeline of a task whose steps have not begun says so.
	open := query[string](t, s, "select task_uuid::text from tasker.create_task('test', 'order', '{\"n\": 2}')")
	page = s.loggedIn(t, s.token(t, "reader2", "reader", "*")).get(t, "/ui/tasks/"+open+"?show=timeline").body
	require.Contains(t, page, "No step has begun")
}
