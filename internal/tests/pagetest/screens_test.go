package pagetest

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// screens returns the paths of all screens by the names of their pictures.
func (s *site) screens() map[string]string {
	task := "/ui/tasks/"
	return map[string]string{
		"overview": "/ui", "tasks": "/ui/tasks", "tasks-none": "/ui/tasks?state=error", "search": "/ui/search?q=nothing+like+it",
		"task": task + s.blocked, "task-states": task + s.every, "task-wide": task + s.wide, "task-timeline": task + s.blocked + "?show=timeline",
		"task-story": task + s.blocked + "?show=story", "task-audit": task + s.blocked + "?show=audit", "task-data": task + s.waiting + "?show=data",
		"step": task + s.blocked + "/steps/1", "step-waiting": task + s.waiting + "/steps/1",
		"inbox": "/ui/waits", "answer": task + s.waiting + "/steps/1/signal?signal=approved", "events": "/ui/events", "emit": "/ui/events/emit?namespace=shop&name=market_open&key=XETRA", "schedules": "/ui/schedules", "schedule": "/ui/schedules/shop/nightly",
		"dead-letters": "/ui/dead-letters", "dead-letter": "/ui/dead-letters/" + s.entry, "workers": "/ui/workers", "queues": "/ui/queues", "limits": "/ui/limits", "limit": "/ui/limits/shop/carrier", "limit-set": "/ui/limits/shop/carrier/set", "limit-new": "/ui/limits/new", "limit-bound": "/ui/limits/shop/carrier/bound",
		"templates": "/ui/templates", "template": "/ui/templates/shop/refund/0.1.0", "partitions": "/ui/partitions", "health": "/ui/health", "settings": "/ui/settings", "setting-set": "/ui/settings/result_bytes/set",
		"requeue-all": "/ui/dead-letters/requeue", "requeue": "/ui/dead-letters/selection?entry=" + s.entry, "backfill": "/ui/schedules/shop/nightly/backfill",
		"cancel": task + s.open + "/cancel", "complete": task + s.open + "/steps/1/complete",
		"selection": "/ui/selection?action=cancel&task=" + s.open + "&task=" + s.blocked, "reset-all": "/ui/tasks/reset?state=blocked_by_failures", "fork-all": "/ui/tasks/fork?state=blocked_by_failures", "mass-actions": "/ui/mass", "pause-handler": "/ui/handlers/shop/charge/pause",
		"step-log": task + s.logged + "/steps/1", "step-log-search": task + s.logged + "/steps/1?log=row+3", "task-erased": task + s.erased + "?show=data", "erase": task + s.open + "/erase",
		"task-parent": task + s.parent, "missing": "/ui/tasks/01a20000-0000-7000-8000-000000000000",
	}
}

// seen has the workers of the site report.
const seen = `select tasker.register_worker('11111111-1111-4111-8111-111111111111', 'worker-1.shop.example', '{shop}', '{reserve,charge}');
	select tasker.register_worker('22222222-2222-4222-8222-222222222222', 'packer.shop.example', '{}', null)`

func TestScreens_FitAndAreAccessible(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	looks := allLooks()
	screens := s.screens()
	basket, large := s.baskets(t)
	screens["task-map"], screens["task-map-failed"], screens["task-map-large"] = "/ui/tasks/"+basket, "/ui/tasks/"+basket+"?state=cancelled", "/ui/tasks/"+large
	names := slices.Sorted(maps.Keys(screens))
	// A few tabs share the screens of a look, since the browser has a process for each tab.
	const tabs = 2
	for _, l := range looks {
		for part := range tabs {
			t.Run(fmt.Sprintf("%s %d", l.name, part+1), func(t *testing.T) {
				t.Parallel()
				p := open(t, s.url, l)
				if part == 0 {
					p.visit(t, "/ui/login")
					p.requireAccessible(t, "login")
					keepPicture(t, p, l, "login")
				}
				p.login(t, s.token)
				for i := part; i < len(names); i += tabs {
					s.execute(t, seen) // A worker that was last seen more than a minute ago counts as gone, and the pictures would show it.
					p.requireFits(t, l, names[i], screens[names[i]])
				}
			})
		}
	}
}

// requireFits visits a screen, and fails the test if the screen is wider than the look, is not accessible, or has a complaint
// of the browser.
func (p *tab) requireFits(t *testing.T, l look, name, path string) {
	t.Helper()
	p.visit(t, path)
	if name == "missing" {
		p.forgive() // The browser complains that the status is 404.
	}
	require.LessOrEqual(t, value[int64](t, p, "document.documentElement.scrollWidth"), l.width, "%s is not wider than the screen", name)
	require.Equal(t, int64(1), value[int64](t, p, "document.querySelectorAll('h1').length"), name)
	p.requireAccessible(t, name+" "+l.name)
	p.requireQuiet(t, name)
	keepPicture(t, p, l, name)
}

func TestPage_WorksWithoutScripts(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := open(t, s.url, lightDesktop)
	p.login(t, s.token)
	p.run(t, scripts(false))
	p.visit(t, "/ui/tasks?state=blocked_by_failures")
	p.run(t, chromedp.Click("tbody input[type=checkbox]"), chromedp.Click("button[value=reset]"), chromedp.WaitVisible("#reason"))
	p.run(t, chromedp.SendKeys("#reason", "without scripts"), chromedp.Click(".ask button"), chromedp.WaitVisible(".note.done"))
	p.run(t, scripts(true))
	require.Contains(t, value[string](t, p, "document.querySelector('.note').innerText"), "1 task chosen one by one: it is being reset.")
	p.run(t, scripts(false))
	p.visit(t, "/ui/tasks?state=blocked_by_failures")
	p.run(t, scripts(true))
	require.NotZero(t, value[int64](t, p, "document.querySelectorAll('.filters button').length"), "filters have a button")
}
