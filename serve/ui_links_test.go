package serve_test

import (
	"fmt"
	"html"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/serve"
)

var (
	linkPattern   = regexp.MustCompile(`<a [^>]*?href="([^"]*)"[^>]*>`)
	matchPattern  = regexp.MustCompile(`(?s)href="([^"]*)">\w+ all that match`)
	rowPattern    = regexp.MustCompile(`<tr id="[td][0-9a-f-]{36}"`)
	pickPattern   = regexp.MustCompile(`<input type="checkbox" name="(task|entry)" value="([^"]*)"`)
	buttonPattern = regexp.MustCompile(`<button(?: name="(\w+)" value="(\w+)")?(?: class="danger")?>\w+ selected…</button>`)
	listPattern   = regexp.MustCompile(`<form action="([^"]*)" id="list"`)
	countPattern  = regexp.MustCompile(`<p class="about">(?:the newest )?(\d+) `)
	formPattern   = regexp.MustCompile(`(?s)<form ([^>]*)>(.*?)</form>`)
	actionPattern = regexp.MustCompile(`action="([^"]*)"`)
	fieldPattern  = regexp.MustCompile(`<(?:input|select)[^>]* name="([^"]*)"`)
	sortPattern   = regexp.MustCompile(`[?&]sort=([-\w]+)`)
	idPattern     = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}|/\d+\b`)
)

// shape is a path without what differs from row to row: a few of each are followed.
func shape(t *testing.T, path string) string {
	t.Helper()
	address, err := url.Parse(path)
	require.NoError(t, err, path)
	return idPattern.ReplaceAllString(address.Path, "/id") + "?" + strings.Join(parameters(address.Query()), "&")
}

func parameters(v url.Values) (names []string) {
	for _, pair := range strings.Split(v.Encode(), "&") {
		name, value, _ := strings.Cut(pair, "=")
		if name == "state" || name == "status" || name == "show" {
			name += "=" + value
		}
		names = append(names, name)
	}
	return names
}

// Every link of every screen leads to a page, and every mass action asks about the rows that its list shows.
func TestUI_EveryLinkLeadsToWhatItSays(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, contractFixture)
	s.execute(t, `select tasker.register_namespace('bank')`)
	s.execute(t, `select tasker.register_task_template(jsonb_build_object('namespace', n, 'name', 'pay', 'identity_strategy', 'always_unique',
		'on_failure', case k when 'error' then 'fail' else 'continue' end, 'steps', '[{"name": "a", "retry": {"retryable": false}}]'::jsonb, 'version', k))
		from unnest('{shop,bank}'::text[]) as n cross join unnest('{error,blocked}'::text[]) as k`)
	for i, n := range []string{"shop", "bank", "bank"} {
		for _, version := range []string{"error", "blocked"} {
			s.execute(t, `select tasker.create_task($1, 'pay', '{}', p_version => $2, p_tags => array[$3], p_correlation_id => '6f1c3a52-7d0e-4b19-9a31-0f6f6a1c2b3d')`, n, version, fmt.Sprint("tag ", i, "&x=y"))
		}
	}
	s.execute(t, `select tasker.fail_steps(array_agg(c.step_uuid), array_agg(c.claim_no), array_agg('no'::text)) from tasker.claim_steps('{shop,bank}', gen_random_uuid(), 1000) as c`)
	s.execute(t, "select tasker.create_dlq_entry(t.task_uuid) from tasker.list_tasks(p_limit => 100) as t where t.state in ('error', 'blocked_by_failures')")
	// A failing incident, mass actions in every state, and a paused handler.
	s.execute(t, "select from tasker.run_maintenance('incidents')")
	s.execute(t, "select tasker.pause_handler('bank', 'a', p_reason => 'the bank is closed')")
	s.execute(t, "select from tasker.run_maintenance('incidents')") // The name of this incident has a slash.
	for _, state := range []string{"done", "stopped", "running"} {
		s.execute(t, `with made as (select s.* from tasker.create_selection('tasks', '{"namespace": "shop"}') as s) select tasker.start_mass_action(m.selection_uuid, 'fork', m.entries, 'test') from made as m`)
		s.execute(t, "update tasker.mass_actions set state = $1, stopped_by = case $1 when 'stopped' then 'canary' end, ended_at = case $1 when 'done' then tasker.clock() end where state = 'running'", state)
	}
	s.execute(t, `select tasker.emit_event('shop', 'opened', n) from unnest('{a,b}'::text[]) as n`)
	logged := query[string](t, s, `with made as materialized (select c.task_uuid from tasker.create_task('shop', 'pay', '{}', p_version => 'blocked') as c), claimed as materialized (
		select c.* from made, tasker.claim_steps('{shop}', gen_random_uuid(), 1) as c)
		select c.step_uuid::text from claimed as c, tasker.append_items(c.step_uuid, c.claim_no, 'log', '[{"msg": "packed", "level": "INFO"}]') as a`)
	require.NotEmpty(t, logged)
	b := s.loggedIn(t, s.token(t, "ops", "operator", "*"))

	forms, kept := map[string]bool{}, map[string]bool{}
	seen, shapes, asked := map[string]bool{}, map[string]int{}, map[string]bool{}
	step := "/ui/tasks/" + query[string](t, s, "select tasker.task_uuid_of($1::uuid)::text", logged) + "/steps/1"
	queue := []string{
		step,
		"/ui", "/ui/tasks?namespace=shop&state=error&name=pay", "/ui/tasks?tag=tag+1%26x%3dy&state=blocked_by_failures",
		"/ui/tasks?state=error&since=24h", "/ui/dead-letters?namespace=bank", "/ui/dead-letters?status=pending&reason=manual_dlq", "/ui/dead-letters?namespace=shop&reason=manual_dlq",
		"/ui/tasks?state=error&correlation=6f1c3a52-7d0e-4b19-9a31-0f6f6a1c2b3d", "/ui/tasks?state=error&until=2999-01-01&version=error",
	}
	for len(queue) > 0 {
		path := queue[0]
		queue = queue[1:]
		if seen[path] || shapes[shape(t, path)] >= 3 {
			continue
		}
		seen[path] = true
		shapes[shape(t, path)]++
		a := b.get(t, path)
		require.Equal(t, http.StatusOK, a.status, "%s: %s", path, told(a.body))
		for _, link := range linkPattern.FindAllStringSubmatch(a.body, -1) {
			to, _, _ := strings.Cut(html.UnescapeString(link[1]), "#")
			if strings.HasPrefix(to, "/ui") {
				queue = append(queue, to)
			} else if strings.HasPrefix(to, "?") {
				before, _, _ := strings.Cut(path, "?")
				queue = append(queue, before+to)
			}
		}
		// A form that filters or searches sends fields that its page takes, and a form that filters a list keeps its order.
		for _, form := range formPattern.FindAllStringSubmatch(a.body, -1) {
			if strings.Contains(form[1], `method="post"`) || strings.Contains(form[1], `method="dialog"`) || strings.Contains(form[1], `id="list"`) {
				continue
			}
			to, _, _ := strings.Cut(path, "?")
			if action := actionPattern.FindStringSubmatch(form[1]); action != nil {
				to = action[1]
			}
			sent := url.Values{}
			for _, field := range fieldPattern.FindAllStringSubmatch(form[2], -1) {
				sent.Set(field[1], "")
			}
			forms[to] = true
			if order := sortPattern.FindStringSubmatch(path); order != nil && strings.Contains(form[1], `class="filters`) {
				require.Contains(t, form[2], `<input type="hidden" name="sort" value="`+order[1]+`">`, path)
				kept[to] = true
			}
			answer := b.get(t, to+"?"+sent.Encode())
			require.Equal(t, http.StatusOK, answer.status, "the form of %s sends %s: %s", path, sent.Encode(), told(answer.body))
		}
		rows := len(rowPattern.FindAllString(a.body, -1))
		for _, all := range matchPattern.FindAllStringSubmatch(a.body, -1) {
			address := html.UnescapeString(all[1])
			question := b.get(t, address)
			require.Equal(t, fmt.Sprint(rows), countPattern.FindStringSubmatch(question.body)[1], "%s lists as many rows as %s asks about", path, address)
			asked[strings.Split(address, "?")[0]] = true
		}
		picks := pickPattern.FindAllStringSubmatch(a.body, 2)
		for _, button := range buttonPattern.FindAllStringSubmatch(a.body, -1) {
			if len(picks) == 0 {
				continue
			}
			form := url.Values{}
			if button[1] != "" {
				form.Set(button[1], button[2])
			}
			for _, pick := range picks {
				form.Add(pick[1], pick[2])
			}
			address := listPattern.FindStringSubmatch(a.body)[1] + "?" + form.Encode()
			question := b.get(t, address)
			require.Equal(t, http.StatusOK, question.status, address)
			require.Contains(t, told(question.body), fmt.Sprintf("%d ", len(picks)), address)
			asked[address[:strings.Index(address, "?")]+button[2]] = true
		}
	}
	for _, action := range []string{"/ui/tasks/reset", "/ui/tasks/fork", "/ui/tasks/cancel", "/ui/dead-letters/requeue", "/ui/selectioncancel", "/ui/selectionreset", "/ui/selectionfork", "/ui/selectionresolve", "/ui/dead-letters/selection"} {
		require.True(t, asked[action], "%s was asked for", action)
	}
	require.Greater(t, len(seen), 40)
	for _, list := range []string{"tasks", "events", "dead-letters", "mass", "templates"} {
		require.True(t, kept["/ui/"+list], "the form of %s keeps the order", list)
	}
	require.True(t, forms[step], "the log of a step is searched by a form")
	for _, leads := range []string{"/ui/mass", "/ui/mass/id/stop", "/ui/mass/id/resume", "/ui/handlers/bank/a/resume", "/ui/incidents/", "/retry", "/complete", "/fork", "/acknowledge"} {
		require.True(t, slices.ContainsFunc(slices.Collect(maps.Keys(seen)), func(path string) bool {
			return strings.Contains(strings.ReplaceAll(idPattern.ReplaceAllString(path, "/id"), "//id", "/id"), leads)
		}), "a link leads to %s", leads)
	}
}

// A parameter that a page does not know would widen what it shows, or what its action does.
func TestUI_RefusesUnknownParameters(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, shop)
	blocked := query[string](t, s, "select tasker_test.make_task_in('blocked_by_failures')::text")
	open := s.createTask(t, "one")
	b := s.loggedIn(t, s.token(t, "ops", "operator", "*"))
	for _, path := range uiScreens(blocked, open) {
		separator := "?"
		if strings.Contains(path, "?") {
			separator = "&"
		}
		refused := b.get(t, path+separator+"namespce=shop")
		requirePage(t, refused, http.StatusUnprocessableEntity, path)
		require.Contains(t, told(refused.body), "The page has no parameter &#34;namespce&#34;.", path)
	}
	path := "/ui/tasks/reset?name%3dtrip%26state%3derror"
	requirePage(t, b.get(t, path), http.StatusUnprocessableEntity, path)
	csrf := csrfField.FindStringSubmatch(b.get(t, "/ui/tasks/reset?state=blocked_by_failures").body)[1]
	refused := b.send(t, http.MethodPost, path, url.Values{"csrf": {csrf}, "reason": {"test"}})
	requirePage(t, refused, http.StatusUnprocessableEntity, path)
	require.Equal(t, "blocked_by_failures", query[string](t, s, "select state::text from tasker.get_task($1)", blocked), "nothing was reset")
}
