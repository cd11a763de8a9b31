package pagetest

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// One old task holds up retention. The first look offers to evacuate the range. The task is kept, and the range is gone.
func TestDrill_RetentionIsHeld(t *testing.T) {
	t.Parallel()
	s := newBareSite(t)
	s.execute(t, "select tasker_test.start_year('2050-03-02 12:00+00', '7 days', '21 days')")
	s.execute(t, "select tasker.register_namespace('shop')")
	s.execute(t, "select tasker_test.make_old_task('41 days', 'pending')")
	retire := func() {
		for range 4 { // A run drops one range.
			s.execute(t, "select count(*) from tasker.run_maintenance('retention')")
			s.execute(t, "select tasker_test.pass('10 min')")
		}
	}
	retire()
	s.judge(t)
	const old = `select count(*)::text from tasker.partition_ranges as r, tasker.partition_config as c where r.ends_at <= tasker.clock() - c.retention and r.suffix not like '%e%'`
	require.Equal(t, "1", s.query(t, old))

	p := newPerson(t, s)
	require.Contains(t, p.look(t, "/ui"), "1 range is kept past its retention")
	keepPicture(t, p.tab, lightDesktop, "drill-retention")
	p.click(t, ".inc.failed", "Evacuate the oldest range")
	p.until(t, `document.querySelector(".ask")?.innerText.includes("1 not ended")`)
	p.requireAccessible(t, "the question before an evacuation")
	p.onPhone(t, "evacuate")
	p.answer(t, "the task waits for a court")
	require.LessOrEqual(t, p.clicks, 2)
	require.Equal(t, "0", s.query(t, old))
	require.Equal(t, "1", s.query(t, `select count(*)::text from tasker.list_tasks(p_state => 'open')`), "the task that held it is still open")
	retire()
	s.judge(t)
	require.NotContains(t, p.look(t, "/ui"), "past its retention")
}

// "Try an event" describes the effects of an event, and does nothing.
func TestEvents_TryingSaysWhatWouldHappen(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.execute(t, `select tasker.register_task_template('{"namespace": "shop", "name": "welcome", "identity_strategy": "always_unique", "steps": [{"name": "mail"}],
		"start_on": {"event": "customer_created", "when": "$.vip == true", "context": {"who": "$.name"}}}')`)
	const effects = `select (select count(*) from tasker.list_tasks(p_name => 'welcome')) || ' ' || (select count(*) from tasker.list_events(p_name => 'customer_created'))`
	for _, l := range []look{lightDesktop, darkPhone} {
		p := open(t, s.url, l)
		p.login(t, s.token)
		try := func(payload string) string {
			p.visit(t, "/ui/events")
			p.run(t, chromedp.Click(".offers a[href$='/events/try']"))
			p.until(t, `document.querySelector("h1").innerText == "Try an event"`)
			p.requireAccessible(t, "trying an event")
			keepPicture(t, p, l, "event-try")
			p.run(t, chromedp.SetValue("[name=namespace]", "shop"), chromedp.SetValue("[name=name]", "customer_created"), chromedp.SetValue("[name=payload]", payload))
			p.run(t, chromedp.Click(".ask .buttons button"), chromedp.WaitVisible(".note"))
			return value[string](t, p, `document.querySelector(".note").innerText`)
		}
		said := try(`{"vip": true, "name": "Ada <b>"}`)
		require.Contains(t, said, "a task would start with")
		require.Contains(t, said, `Ada <b>`)
		keepPicture(t, p, l, "event-tried")
		require.LessOrEqual(t, value[int64](t, p, "document.documentElement.scrollWidth"), l.width)
		require.Contains(t, try(`{"vip": false}`), "its condition does not hold")
		require.Equal(t, "0 0", s.query(t, effects), "nothing was emitted, and nothing was started")
	}
	s.execute(t, `select tasker.emit_event('shop', 'customer_created', 'k', '{"vip": true, "name": "Ada"}')`)
	require.Equal(t, "1 1", s.query(t, effects), "the event does what trying it said")
}

// A template is paused and resumed on its page. Its incident, once the pause is over its end, links the runbook.
func TestTemplate_IsPausedAndResumed(t *testing.T) {
	t.Parallel()
	s := newDrill(t)
	p := newPerson(t, s)
	p.look(t, "/ui/templates/shop/sale/1.1.0")
	p.click(t, ".offers", "Pause")
	p.until(t, `document.querySelector("#f-hours")`)
	p.requireAccessible(t, "the question before the pause of a template")
	p.run(t, chromedp.SetValue("#f-hours", "2"))
	p.answer(t, "version 1.1.0 charges twice")
	require.Equal(t, "charge sale 02:00:00 version 1.1.0 charges twice", s.query(t, `select concat_ws(' ', p.handler, p.template, p.until - tasker.clock(), p.reason) from tasker.list_handler_pauses('shop') as p`))
	require.Contains(t, p.look(t, "/ui/templates/shop/sale/1.0.0"), "paused", "all versions are")
	p.onPhone(t, "template-paused")
	keepPicture(t, p.tab, lightDesktop, "template-paused")
	s.execute(t, `select tasker_test.pass('3 hours')`)
	s.judge(t)
	require.Contains(t, p.look(t, "/ui"), "paused past its end")
	p.click(t, ".inc", "Handler charge")
	p.until(t, `document.querySelector("a[href$='docs/howto/incidents.md#paused']")?.innerText == "Runbook"`)
	p.requireAccessible(t, "an incident with its runbook")
	p.look(t, "/ui/templates/shop/sale/1.1.0")
	p.click(t, ".offers", "Resume")
	p.answer(t, "")
	require.Equal(t, "0", s.query(t, `select count(*)::text from tasker.list_handler_pauses()`))
}

// A graph shows which end of a step another step waits for, and explains its marks.
func TestGraph_MarksFailureBranches(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.execute(t, `select tasker.register_task_template('{"namespace": "shop", "name": "delivery", "identity_strategy": "always_unique", "steps": [
		{"name": "reserve"}, {"name": "send", "dependencies": ["reserve"], "retry": {"retryable": false}},
		{"name": "alert", "dependencies": [{"step": "send", "on": "failed"}]}, {"name": "thanks", "dependencies": ["send"]},
		{"name": "cleanup", "dependencies": [{"step": "send", "on": "ended"}], "join": "settled"},
		{"name": "report", "dependencies": ["alert", "thanks"], "join": "first"}]}')`)
	task := s.query(t, "select task_uuid::text from tasker.create_task('shop', 'delivery', '{}')")
	s.work(t, "reserve", 20, "")
	s.work(t, "send", 20, "the van is broken")
	for _, l := range []look{lightDesktop, darkDesktop, darkPhone} {
		p := open(t, s.url, l)
		p.login(t, s.token)
		for name, path := range map[string]string{"graph-marks": "/ui/tasks/" + task, "graph-marks-template": "/ui/templates/shop/delivery/0.1.0"} {
			p.visit(t, path)
			require.Equal(t, int64(1), value[int64](t, p, `document.querySelectorAll(".drawing .edge.on-failed").length`), name)
			require.Equal(t, int64(1), value[int64](t, p, `document.querySelectorAll(".drawing .edge.on-ended").length`), name)
			require.Equal(t, int64(1), value[int64](t, p, `document.querySelectorAll(".drawing circle.first").length`), name)
			require.NotEqual(t, "none", value[string](t, p, `getComputedStyle(document.querySelector(".drawing .edge.on-failed")).strokeDasharray`))
			require.Contains(t, value[string](t, p, `document.querySelector(".graphlegend").innerText`), "after a failure")
			require.LessOrEqual(t, value[int64](t, p, "document.documentElement.scrollWidth"), l.width)
			p.requireAccessible(t, name+" "+l.name)
			p.run(t, chromedp.Evaluate(`document.querySelector(".drawing").scrollIntoView()`, nil))
			keepPicture(t, p, l, name)
		}
	}
}
