package pagetest

import (
	"encoding/json"
	"strconv"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/direct"
)

// The drills of a person on call. Each drill begins with one look at the first screen, and ends after at most two clicks. The
// database is checked for the effects. Typing a reason is no click.

// person counts the clicks of a person who looks at a tab.
type person struct {
	*tab
	clicks int
}

// newPerson returns a person who looks at the first screen of a site. The clock of its database stands still.
func newPerson(t *testing.T, s *site) *person {
	t.Helper()
	p := &person{tab: open(t, s.url, lightDesktop)}
	p.login(t, s.token)
	return p
}

// click clicks the element with a text, in the part of the page that a selector names.
func (p *person) click(t *testing.T, within, text string) {
	t.Helper()
	p.clicks++
	find := `[...document.querySelectorAll(` + quoted(within+" a, "+within+" button") + `)].find(e => e.checkVisibility() && e.innerText.trim().startsWith(` + quoted(text) + `))`
	p.until(t, find)
	p.run(t, chromedp.Evaluate(find+`.setAttribute("data-clicked", "")`, nil), chromedp.Click("[data-clicked]"))
}

// answer types why, and confirms.
func (p *person) answer(t *testing.T, reason string) {
	t.Helper()
	p.until(t, `document.querySelector(".ask #reason")`)
	p.run(t, chromedp.SendKeys("#reason", reason))
	p.clicks++
	p.run(t, chromedp.Click(".ask .buttons button"), chromedp.WaitVisible(".note"))
}

// look visits a page and returns its text.
func (p *person) look(t *testing.T, path string) string {
	t.Helper()
	p.visit(t, path)
	p.clicks = 0
	return value[string](t, p.tab, `document.querySelector("main").innerText`)
}

func quoted(text string) string {
	json, _ := json.Marshal(text)
	return string(json)
}

// newDrill returns a site with a frozen clock, and templates whose only step fails as a test says.
func newDrill(t *testing.T) *site {
	t.Helper()
	s := newBareSite(t)
	s.execute(t, `select tasker_test.freeze('2026-11-27 10:00:00Z')`)
	s.execute(t, `select tasker.register_task_template(jsonb_build_object('namespace', n, 'name', 'sale', 'version', v, 'identity_strategy', 'always_unique',
		'steps', jsonb_build_array(jsonb_build_object('name', 'charge', 'handler', h, 'retry', '{"retryable": false}'::jsonb))))
		from (values ('shop', 'charge', '1.0.0'), ('shop', 'charge', '1.1.0'), ('bank', 'transfer', '1.0.0')) as t (n, h, v)`)
	s.execute(t, seen)
	return s
}

// sell creates tasks of shop/sale, or of another namespace. It returns after their steps have failed with failure, or have succeeded if
// failure is empty.
func (s *site) sell(t *testing.T, namespace, handler, version string, many int, failure string) {
	t.Helper()
	s.execute(t, `select count(*) from (select tasker.create_task('`+namespace+`', 'sale', '{}', p_version => '`+version+`') from generate_series(1, `+strconv.Itoa(many)+`)) as t`)
	s.workIn(t, namespace, handler, many, failure)
}

func (s *site) workIn(t *testing.T, namespace, handler string, many int, failure string) {
	t.Helper()
	e := direct.New(s.pool)
	for many > 0 {
		claimed, err := e.ClaimSteps(t.Context(), direct.ClaimRequest{WorkerUUID: packer, Namespaces: []string{namespace}, Handlers: []string{handler}, Limit: min(many, 500)})
		require.NoError(t, err)
		require.NotEmpty(t, claimed, handler)
		many -= len(claimed)
		results := make([]direct.StepResult, len(claimed))
		for i, c := range claimed {
			results[i] = direct.StepResult{StepClaim: direct.StepClaim{StepUUID: c.StepUUID, ClaimNo: c.ClaimNo}, Error: failure, Permanent: failure != ""}
			if failure == "" {
				results[i].Results = json.RawMessage(`{}`)
			}
		}
		if failure == "" {
			_, err = e.CompleteSteps(t.Context(), results)
		} else {
			_, err = e.FailSteps(t.Context(), results)
		}
		require.NoError(t, err)
	}
}

// act runs the mass action that was started to its end.
func (s *site) act(t *testing.T) {
	t.Helper()
	for range 40 {
		s.execute(t, `select count(*) from tasker.run_maintenance('mass_actions')`)
		s.execute(t, `select tasker_test.pass('10 s')`)
		if ready := s.number(t, "select coalesce(sum(h.ready_steps), 0)::text from tasker.get_queue_health() as h where h.namespace_name = 'shop'"); ready > 0 {
			s.workIn(t, "shop", "charge", ready, "")
		}
		if s.query(t, "select (m.passed + m.failed + m.skipped = m.entries)::text from tasker.list_mass_actions() as m") == "true" {
			return
		}
	}
}

// judge lets time pass, and lets the engine check twice for incidents.
func (s *site) judge(t *testing.T) {
	t.Helper()
	for range 2 {
		s.execute(t, `select tasker_test.pass('15 s')`)
		s.execute(t, seen)
		s.execute(t, `select count(*) from tasker.run_maintenance('incidents')`)
	}
}

// (a) A payment provider is down. The handler is paused, and later exactly its steps are retried. Declined cards and another
// namespace's failures are not retried.
func TestDrill_APaymentProviderIsDown(t *testing.T) {
	t.Parallel()
	s := newDrill(t)
	s.sell(t, "shop", "charge", "1.0.0", 420, "503 Service Unavailable: psp.example did not answer (request 4711)")
	s.sell(t, "shop", "charge", "1.0.0", 3, "the card was declined")
	s.sell(t, "bank", "transfer", "1.0.0", 2, "503 Service Unavailable: psp.example did not answer (request 4712)")
	s.judge(t)

	p := newPerson(t, s)
	seen := p.look(t, "/ui")
	require.Contains(t, seen, "Act now")
	require.Contains(t, seen, "420")
	require.Equal(t, "failed", value[string](t, p.tab, `document.querySelector(".verdict").className.split(" ")[1]`), "the verdict is red")
	keepPicture(t, p.tab, lightDesktop, "drill-a")
	p.click(t, ".inc.failed", "Pause the handler")
	p.answer(t, "the provider is down")
	require.LessOrEqual(t, p.clicks, 2)
	require.Equal(t, "shop/charge", s.query(t, "select string_agg(p.namespace || '/' || p.handler, ', ') from tasker.list_handler_pauses() as p"))

	s.execute(t, `select tasker.resume_handler('shop', 'charge')`)
	s.execute(t, `select tasker_test.pass('5 min')`)
	s.judge(t)
	require.Contains(t, p.look(t, "/ui"), "Retry 420 steps")
	p.click(t, ".inc", "Retry 420 steps")
	p.answer(t, "the provider is back")
	require.LessOrEqual(t, p.clicks, 2)
	s.act(t)
	require.Equal(t, "420 420 done", s.query(t, "select m.entries || ' ' || m.passed || ' ' || m.state from tasker.list_mass_actions() as m"))
	require.Equal(t, "3", s.query(t, "select count(*)::text from tasker.list_tasks('shop', p_state => 'blocked_by_failures', p_limit => 1000)"), "the declined cards were left alone")
	require.Equal(t, "2", s.query(t, "select count(*)::text from tasker.list_tasks('bank', p_state => 'blocked_by_failures', p_limit => 1000)"), "the other namespace was left alone")
}

// (b) A tenant floods. The first look names the tenant's key, and only the bounds of this key are changed.
func TestDrill_ATenantFloods(t *testing.T) {
	t.Parallel()
	s := newDrill(t)
	s.execute(t, `select tasker.register_task_template('{"namespace": "shop", "name": "bill", "identity_strategy": "always_unique", "steps": [{"name": "send", "limit": "tenant", "limit_key": "$.tenant"}]}')`)
	s.execute(t, `select tasker.set_limit('shop', 'tenant', 4)`)
	s.execute(t, `select count(*) from (select tasker.create_task('shop', 'bill', '{"tenant": "acme & co/1"}') from generate_series(1, 150)
		union all select tasker.create_task('shop', 'bill', '{"tenant": "small"}') from generate_series(1, 6)) as t`)
	claimed, err := direct.New(s.pool).ClaimSteps(t.Context(), direct.ClaimRequest{WorkerUUID: packer, Namespaces: []string{"shop"}, Handlers: []string{"send"}, Limit: 500})
	require.NoError(t, err)
	require.Len(t, claimed, 8, "4 of each tenant run")
	s.judge(t)
	p := newPerson(t, s)
	seen := p.look(t, "/ui")
	require.Contains(t, seen, "acme & co/1")
	keepPicture(t, p.tab, lightDesktop, "drill-b")
	p.click(t, ".inc", "Bound the key")
	p.until(t, `document.querySelector(".ask #f-concurrency")`)
	p.requireAccessible(t, "the question for the bounds of a key")
	p.run(t, chromedp.SetValue("#f-concurrency", "50"))
	p.answer(t, "the tenant has paid for more")
	require.LessOrEqual(t, p.clicks, 2)
	require.Equal(t, "acme & co/1: 50", s.query(t, "select string_agg(k.limit_key || ': ' || k.concurrency, ', ') from tasker.list_limit_keys('shop', 'tenant') as k where k.own_bounds"))
	require.Equal(t, "4", s.query(t, "select l.concurrency::text from tasker.list_limits('shop') as l where l.name = 'tenant'"), "the limit is as it was")
	claimed, err = direct.New(s.pool).ClaimSteps(t.Context(), direct.ClaimRequest{WorkerUUID: packer, Namespaces: []string{"shop"}, Handlers: []string{"send"}, Limit: 500})
	require.NoError(t, err)
	require.Len(t, claimed, 46, "50 of the tenant run, and 4 of the other")
	p.requireAccessible(t, "a limit with bounds of one key")
}

// (c) A deployment lost a handler. The first look names the handler and the number of waiting steps, and one click
// shows where the handler was.
func TestDrill_ADeploymentLostAHandler(t *testing.T) {
	t.Parallel()
	s := newDrill(t)
	s.execute(t, `select count(*) from (select tasker.create_task('bank', 'sale', '{}') from generate_series(1, 120)) as t`)
	s.execute(t, `select tasker.register_worker('22222222-2222-4222-8222-222222222222', 'packer.shop.example', '{bank}', '{transfers}')`)
	s.execute(t, `select tasker_test.pass('11 min')`)
	for range 2 {
		s.execute(t, `select tasker_test.pass('15 s')`)
		s.execute(t, `select tasker.register_worker('22222222-2222-4222-8222-222222222222', 'packer.shop.example', '{bank}', '{transfers}')`)
		s.execute(t, `select count(*) from tasker.run_maintenance('incidents')`)
	}
	p := newPerson(t, s)
	seen := p.look(t, "/ui")
	require.Contains(t, seen, "Act now")
	require.Contains(t, seen, "transfer")
	require.Contains(t, value[string](t, p.tab, `document.querySelector(".inc").innerText`), "120")
	keepPicture(t, p.tab, lightDesktop, "drill-c")
	p.click(t, ".inc", "Show the workers")
	p.until(t, `document.querySelector("h1").innerText == "Workers"`)
	require.Contains(t, value[string](t, p.tab, `document.querySelector("main").innerText`), "Did you mean transfers?")
	require.Equal(t, 1, p.clicks)
}

// (d) A task waits for ever. Its page shows the reason, down to the child task that holds it up, with the button that
// ends the wait.
func TestDrill_ATaskWaitsForEver(t *testing.T) {
	t.Parallel()
	s := newDrill(t)
	s.execute(t, `select tasker.register_task_template('{"namespace": "shop", "name": "trip", "identity_strategy": "always_unique", "steps": [{"name": "refund", "task": {"name": "refund"}}]}');
		select tasker.register_task_template('{"namespace": "shop", "name": "refund", "identity_strategy": "always_unique", "steps": [{"name": "approve", "await": [{"signal": "approved"}]}]}')`)
	task := s.query(t, "select task_uuid::text from tasker.create_task('shop', 'trip', '{}')")
	_, err := direct.New(s.pool).ClaimSteps(t.Context(), direct.ClaimRequest{WorkerUUID: packer, Namespaces: []string{"shop"}, Limit: 10}) // starts the child task
	require.NoError(t, err)
	p := newPerson(t, s)
	seen := p.look(t, "/ui/tasks/"+task)
	require.Contains(t, seen, "approve of task")
	require.Contains(t, seen, `It waits for signal "approved"`)
	require.NotRegexp(t, `(^|[^g])tasker\.|select `, seen, "people have buttons, not calls")
	keepPicture(t, p.tab, lightDesktop, "drill-d")
	p.requireAccessible(t, "a task that waits for its child")
	p.click(t, ".trouble", "Answer “approved”")
	p.until(t, `document.querySelector(".ask button.primary")`)
	p.clicks++
	p.run(t, chromedp.Click(".ask .buttons button"), chromedp.WaitVisible(".note.done"))
	require.LessOrEqual(t, p.clicks, 2)
	require.Equal(t, "complete", s.query(t, "select string_agg(s.state::text, ' ') from tasker.list_tasks('shop', 'refund') as t, tasker.list_steps(t.task_uuid) as s"))
}

// (e) A wrong version ran overnight. Exactly its tasks are forked to the version before.
func TestDrill_AWrongVersionRanOvernight(t *testing.T) {
	t.Parallel()
	s := newDrill(t)
	s.sell(t, "shop", "charge", "1.0.0", 30, "")
	s.sell(t, "shop", "charge", "1.1.0", 70, "")
	p := newPerson(t, s)
	seen := p.look(t, "/ui/tasks?namespace=shop&name=sale&version=1.1.0")
	require.Contains(t, seen, "70 tasks match")
	p.requireAccessible(t, "a list with tokens")
	keepPicture(t, p.tab, lightDesktop, "drill-e")
	p.click(t, ".bulk", "Fork all that match")
	p.until(t, `document.querySelector(".ask #f-version")`)
	p.run(t, chromedp.SetValue("#f-version", "1.0.0"), chromedp.SetValue("#f-from_step", "charge"))
	p.answer(t, "1.1.0 charges twice")
	require.LessOrEqual(t, p.clicks, 2)
	s.act(t)
	require.Equal(t, "70 70", s.query(t, "select m.entries || ' ' || m.passed from tasker.list_mass_actions() as m"))
	require.Equal(t, "100", s.query(t, "select count(*)::text from tasker.list_tasks('shop', 'sale', '1.0.0', p_limit => 1000)"), "30 of its own and 70 forks")
}

// (f) Three orders fail among thousands. One look at the first screen shows them, and their error.
func TestDrill_ThreeOrdersFailAmongThousands(t *testing.T) {
	t.Parallel()
	s := newDrill(t)
	s.sell(t, "shop", "charge", "1.0.0", 2000, "")
	s.sell(t, "shop", "charge", "1.0.0", 3, "no tax rate for country XK")
	s.judge(t)
	p := newPerson(t, s)
	seen := p.look(t, "/ui")
	require.Contains(t, seen, "no tax rate for country XK")
	require.Equal(t, "3", value[string](t, p.tab, `document.querySelector(".inc .n b").innerText`))
	require.Less(t, value[float64](t, p.tab, `document.querySelector(".inc").getBoundingClientRect().bottom`), 800.0, "without scrolling")
	keepPicture(t, p.tab, lightDesktop, "drill-f")
	p.click(t, ".inc h3", "")
	p.until(t, `document.querySelectorAll("[aria-label=\"Table: steps\"] tbody tr").length == 3`)
}
