package pagetest

import (
	"context"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// cutStreams replaces every stream by a stream that a proxy has cut.
const cutStreams = `window.EventSource = class {
	static CLOSED = 2;
	readyState = 2;
	constructor() { setTimeout(() => this.onerror?.({})); }
	addEventListener() {}
	close() {}
}`

func scripts(on bool) chromedp.Action { return emulation.SetScriptExecutionDisabled(!on) }

func TestKeyboard_CancelsATaskWithAReason(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := open(t, s.url, lightDesktop)
	p.login(t, s.token)

	// Every entry of the menu has a key.
	for key, title := range map[string]string{"i": "Inbox", "s": "Schedules", "d": "Dead letters", "m": "Mass actions", "w": "Workers", "q": "Queues", "e": "Templates", "p": "Partitions", "c": "Settings", "h": "Health", "o": "Overview", "t": "Tasks"} {
		p.press(t, "g", key)
		p.until(t, "document.readyState == 'complete' && document.querySelector('h1').innerText == '"+title+"'")
	}
	p.visit(t, "/ui/tasks")
	p.press(t, "?")
	p.until(t, "document.getElementById('keys').open")
	p.requireAccessible(t, "the list of keys")
	p.press(t, kb.Escape)
	p.until(t, "!document.getElementById('keys').open")

	// Keys lead to the search, and to a task by its short id.
	p.press(t, "/", s.open[24:32], kb.Enter)
	p.until(t, "location.pathname == '/ui/tasks/"+s.open+"'")

	// Tab leads to the action, which first asks for a reason.
	for range 60 {
		if value[string](t, p, "document.activeElement.innerText || ''") == "Cancel…" {
			break
		}
		p.press(t, kb.Tab)
	}
	p.press(t, kb.Enter)
	p.until(t, "document.activeElement.id == 'reason'")
	require.Contains(t, value[string](t, p, "document.querySelector('.effects').innerText"), "4 open steps will be cancelled.")
	p.press(t, kb.Enter)
	require.Equal(t, "pending", s.query(t, "select case when complete then 'ended' else 'pending' end from tasker.get_task($1)", s.open), "the task is not cancelled without a reason")
	p.press(t, "the customer called", kb.Enter)
	p.until(t, "document.querySelector('.note.done')")
	require.Equal(t, "cancelled", s.state(t, s.open))
	require.Equal(t, "the customer called", s.query(t, "select reason from tasker.get_task_history($1) where event = 'Cancel' and step_no is null", s.open))
	p.requireQuiet(t, "keyboard")
}

func TestKeyboard_SelectsRowsAndOpensThem(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := open(t, s.url, lightDesktop)
	p.login(t, s.token)
	p.visit(t, "/ui/tasks")
	p.until(t, "document.querySelector('.live.on')")
	p.press(t, "j", "j", "x")
	p.until(t, "document.querySelector('.picked').innerText == '1 selected'")
	p.press(t, "k", "x")
	p.until(t, "document.querySelector('.picked').innerText == '2 selected'")
	// A change in another session is shown when it is asked for, and the selection stays.
	added := s.create(t, "B-1")
	p.until(t, "document.getElementById('held').innerText.includes('1 new: show')")
	p.run(t, chromedp.Click("#held button"))
	p.until(t, "document.getElementById('t"+added+"')")
	p.until(t, "document.querySelector('.picked').innerText == '2 selected' && document.querySelectorAll('tr.cursor').length == 1")
	p.press(t, "j", kb.Enter)
	p.until(t, "location.pathname.length > '/ui/tasks/'.length")
	p.requireQuiet(t, "rows")
}

func TestLive_ShowsChangesWithoutAReload(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := open(t, s.url, lightDesktop)
	p.login(t, s.token)
	p.visit(t, "/ui/tasks/"+s.open)
	p.until(t, "document.querySelector('.live.on')")
	p.run(t, chromedp.Evaluate("window.same = true", nil))
	s.execute(t, "select tasker.claim_step(tasker.step_uuid('"+s.open+"', 1), '11111111-1111-4111-8111-111111111111')")
	p.until(t, "document.querySelector('#n1').classList.contains('active') && document.querySelector('#n1').textContent.includes('in progress')")
	s.execute(t, "select tasker.complete_step_manually(tasker.step_uuid('"+s.open+"', 1), '{}', 'test')")
	p.until(t, "document.querySelector('#n1').classList.contains('done')")
	require.True(t, value[bool](t, p, "window.same"), "the page was not loaded again")
	// A revoked token ends the stream, and the page says so.
	s.execute(t, "select tasker.revoke_token('ann')")
	p.until(t, "document.body.innerText.includes('has been revoked')")
}

func TestLive_PollsWhereHintsAreCut(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := open(t, s.url, lightDesktop)
	p.login(t, s.token)
	p.run(t, chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := page.AddScriptToEvaluateOnNewDocument(cutStreams).Do(ctx)
		return err
	}))
	p.visit(t, "/ui/tasks")
	p.until(t, "document.querySelector('.live.poll')")
	added := s.create(t, "C-1")
	p.until(t, "document.getElementById('t"+added+"')")
}

func TestInbox_SendsWhatTheFormAsksFor(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := open(t, s.url, lightPhone)
	p.login(t, s.token)
	p.visit(t, "/ui/waits")
	p.run(t, chromedp.Click(`a[href*="signal=approved"]`), chromedp.WaitVisible("label[for='f-p.0']"))
	fill := func(label, text string) {
		id := value[string](t, p, `[...document.querySelectorAll("label")].find(l => l.innerText.startsWith("`+label+`")).htmlFor`)
		p.run(t, chromedp.SetValue(`[id="`+id+`"]`, text))
	}
	fill("ok", "yes")
	fill("method", "transfer")
	fill("lines", "7\n9007199254740993\n")
	fill("cents", "0")
	p.run(t, chromedp.Click(".ask button"), chromedp.WaitVisible(".problem"))
	require.Contains(t, value[string](t, p, "document.querySelector('.problem').innerText"), "cents", "the database checks, and the form keeps what was entered")
	p.requireAccessible(t, "a form that was refused")
	fill("cents", "12345678901234567890")
	p.run(t, chromedp.Click(".ask button"), chromedp.WaitVisible(".note.done"))
	require.Contains(t, value[string](t, p, "document.querySelector('.note').innerText"), "delivered to approve")
	require.JSONEq(t, `{"ok": true, "method": "transfer", "lines": [7, 9007199254740993], "cents": 12345678901234567890}`,
		s.query(t, "select results ->> 'payload' from tasker.list_steps($1) where step_no = 1", s.waiting))
}

func TestTheme_FollowsTheSystemUntilOneIsChosen(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := open(t, s.url, darkDesktop)
	p.login(t, s.token)
	const ground = "getComputedStyle(document.body).backgroundColor"
	dark := value[string](t, p, ground)
	p.run(t, p.as(lightDesktop))
	light := value[string](t, p, ground)
	require.NotEqual(t, dark, light)
	p.run(t, chromedp.Click("button.tool"))
	p.until(t, "document.documentElement.dataset.theme == 'light'")
	p.run(t, chromedp.Click("button.tool"))
	p.until(t, "document.documentElement.dataset.theme == 'dark'")
	require.Equal(t, dark, value[string](t, p, ground), "dark is chosen, whatever the system prefers")
}

// A mass action acts on exactly the rows that were ticked: they are counted in the database.
func TestMass_ActsOnExactlyTheTickedRows(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := open(t, s.url, lightDesktop)
	p.login(t, s.token)
	const failed = "select count(*)::text from tasker.list_tasks(p_state => 'blocked_by_failures', p_limit => 1000)"
	before := s.query(t, failed)
	p.visit(t, "/ui/tasks?state=blocked_by_failures")
	p.run(t, chromedp.Click("input[name=task][value='"+s.blocked+"']"), chromedp.Click("button[name=action][value=cancel]"))
	p.until(t, "document.querySelector('h1').innerText == 'Cancel 1 task'")
	require.Contains(t, value[string](t, p, "document.querySelector('.about').innerText"), "1 task chosen one by one")
	p.requireAccessible(t, "the question of a mass action")
	p.run(t, chromedp.SendKeys("#reason", "not wanted"), chromedp.Click(".ask .buttons button"), chromedp.WaitVisible(".note.done"))
	p.until(t, "location.pathname.startsWith('/ui/mass/')")
	p.requireAccessible(t, "a mass action")
	require.Equal(t, before, s.query(t, failed), "nothing is done before an orchestrator runs")
	s.query(t, "select count(*)::text from tasker.run_maintenance('mass_actions')")
	p.until(t, "document.querySelector('.subject .state').innerText.includes('done')")
	require.Equal(t, "passed", s.query(t, "select concat_ws(': ', e.state, e.note) from tasker.list_mass_actions() as m, tasker.list_selection_entries(m.selection_uuid) as e"))
	require.Equal(t, "1 1 cancelled", s.query(t, "select m.entries || ' ' || m.passed || ' ' || t.state from tasker.list_mass_actions() as m, tasker.get_task($1) as t", s.blocked))
	require.Equal(t, "1", s.query(t, "select ($1::integer - ("+failed+")::integer)::text", before), "one task fewer stands blocked, and it is the one that was ticked")
}

// A person erases a task with the tasks below it. What is erased is counted in the database.
func TestErase_TakesTheTasksBelowToo(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := open(t, s.url, lightDesktop)
	p.login(t, s.token)
	const fire = "select count(tasker.fire_due_timers(1000)) from generate_series(1, 3)"
	s.execute(t, fire) // The child begins.
	s.execute(t, "select tasker.cancel_task('"+s.parent+"', 'test')")
	s.execute(t, fire) // It is cancelled, too.
	const family = "select count(*) filter (where t.erased_at is not null) || ' of ' || count(*) from tasker.get_task_tree($1, 100) as n cross join lateral tasker.get_task(n.task_uuid) as t"
	const others = "select count(*)::text from tasker.list_erasures()"
	below := s.query(t, "select (count(*) - 1)::text from tasker.get_task_tree($1, 100)", s.parent)
	require.NotEqual(t, "0", below, "the task has children")
	all := s.query(t, "select ($1::integer + 1)::text", below)
	before := s.query(t, others)
	require.Equal(t, "0 of "+all, s.query(t, family, s.parent))

	p.visit(t, "/ui/tasks/"+s.parent+"/erase")
	require.Contains(t, value[string](t, p, "document.querySelector('.effects').innerText"), below+" task")
	p.requireAccessible(t, "the question of an erasure")
	steps := s.query(t, "select total_steps::text from tasker.get_task($1)", s.parent)
	p.run(t, chromedp.SetValue("[name=steps]", steps), chromedp.Click("input[type=checkbox][name=children]"),
		chromedp.SendKeys("#reason", "request 17"), chromedp.Click(".ask .buttons button"))
	p.until(t, "document.querySelector('.note.done')")
	require.Contains(t, value[string](t, p, "document.querySelector('.note.done').innerText"), "The data of "+all+" tasks are erased.")
	require.Equal(t, all+" of "+all, s.query(t, family, s.parent))
	require.Equal(t, all, s.query(t, "select (count(*) - $1::integer)::text from tasker.list_erasures()", before), "and no other task")
	p.requireQuiet(t, "erasure")
}

// The page of a running step follows its log, and a search follows it, too.
func TestLog_IsFollowedAndSearched(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := open(t, s.url, lightDesktop)
	p.login(t, s.token)
	path := "/ui/tasks/" + s.logged + "/steps/1"
	say := func(line string) {
		require.Equal(t, "saved", s.query(t, "select a.answer::text from tasker.workflow_steps as s, tasker.append_items(s.workflow_step_uuid, s.claim_no, 'log', jsonb_build_array(jsonb_build_object('level', 'INFO', 'msg', $2::text))) as a where s.task_uuid = $1", s.logged, line))
	}
	p.visit(t, path)
	p.until(t, "document.querySelector('.live.on')")
	p.run(t, chromedp.Evaluate("window.same = true", nil))
	say("the customs officer asks")
	p.until(t, "document.getElementById('log-21')?.innerText.includes('the customs officer asks')")
	require.Equal(t, 21, value[int](t, p, "document.querySelectorAll('#log tbody tr').length"))
	require.True(t, value[bool](t, p, "window.same"), "the page was not loaded again")

	p.run(t, chromedp.SendKeys("input[name=log]", "customs"+kb.Enter))
	p.until(t, "location.search == '?log=customs' && document.readyState == 'complete' && document.querySelector('.live.on')")
	require.Equal(t, "log-21", value[string](t, p, "[...document.querySelectorAll('#log tbody tr')].map(r => r.id).join()"))
	say("row 22 was read")
	say("the customs officer nods")
	p.until(t, "document.getElementById('log-23')")
	require.Equal(t, "log-21,log-23", value[string](t, p, "[...document.querySelectorAll('#log tbody tr')].map(r => r.id).join()"))
	p.requireAccessible(t, "a log that is searched")
	p.requireQuiet(t, "log")
}
