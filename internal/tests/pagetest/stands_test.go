package pagetest

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// If its server does not answer, a page turns grey and inert, shows the time of the last answer, and recovers by
// itself.
func TestAway_IsGreyAndComesBackByItself(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	for _, l := range []look{lightDesktop, darkPhone} {
		p := open(t, s.url, l)
		p.login(t, s.token)
		p.visit(t, "/ui/tasks")
		p.until(t, `document.getElementById("live").innerText.includes("live") || document.getElementById("live").classList.contains("on")`)
		s.away.Store(true)
		s.cut()
		p.until(t, `document.body.classList.contains("lost") && document.getElementById("main").inert`)
		p.until(t, `/^The database has not answered since \d\d:\d\d:\d\d, \d+ s ago\. Trying again/.test(document.getElementById("away").innerText)`)
		require.Contains(t, value[string](t, p, `document.querySelector("#live .word").textContent`), "no answer for")
		p.requireAccessible(t, "a page whose server is away", "landmark-one-main", "page-has-heading-one") // What is inert is not there for axe.
		keepPicture(t, p, l, "away")
		require.NotEmpty(t, value[string](t, p, `document.querySelector("tbody tr").innerText`), "the last picture stays")
		s.create(t, "after-"+l.name)
		s.away.Store(false)
		p.until(t, `!document.body.classList.contains("lost") && !document.getElementById("main").inert`)
		p.until(t, `document.getElementById("live").classList.contains("on")`)
	}
}

// Rows stand still while rows are ticked. New rows are counted, and shown when a person asks for them.
func TestLists_StandStillWhileRowsAreTicked(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := open(t, s.url, lightDesktop)
	p.login(t, s.token)
	p.visit(t, "/ui/tasks")
	const first = `document.querySelector("tbody tr").id`
	at := value[string](t, p, first)
	p.run(t, chromedp.Click("input[name=task][value='"+s.blocked+"']"))
	s.execute(t, "select tasker.create_task('shop', 'wide', '{}') from generate_series(1, 60)")
	p.until(t, `document.getElementById("held").innerText.includes("The list stands still while rows are ticked.") && document.getElementById("held").innerText.includes("50 new: show")`)
	require.Equal(t, at, value[string](t, p, first), "no row has moved")
	keepPicture(t, p, lightDesktop, "held")
	p.requireAccessible(t, "a list that stands still")
	p.run(t, chromedp.Click("#held button"))
	p.until(t, first+" != '"+at+"'")
	require.True(t, value[bool](t, p, "document.querySelector(\"input[name=task][value='"+s.blocked+"']\").checked"), "what was ticked stays ticked, though it left the page")
	require.Equal(t, int64(51), value[int64](t, p, `document.querySelectorAll("tbody tr").length`))
	p.run(t, chromedp.Click("button[name=action][value=cancel]"))
	p.until(t, "document.querySelector('h1').innerText == 'Cancel 1 task'")
}

// A graph of 500 steps opens folded around its failures, and can be zoomed, fitted and shown whole.
func TestGraph_Of500StepsOpensFolded(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	steps := make([]string, 500)
	for i := range steps {
		after := ""
		if i >= 25 {
			after = fmt.Sprintf(`, "dependencies": ["step_%d"]`, i-25)
			if i%2 == 1 {
				after = fmt.Sprintf(`, "dependencies": ["step_%d", "step_%d"]`, i-25, i-25+(1-i%25/24*25))
			}
		}
		handler := "many"
		if i == 7 {
			handler = "broken"
		}
		steps[i] = fmt.Sprintf(`{"name": "step_%d", "handler": %q%s}`, i, handler, after)
	}
	s.execute(t, `select tasker.register_task_template('{"namespace": "shop", "name": "large", "identity_strategy": "always_unique", "steps": [`+strings.Join(steps, ", ")+`]}')`)
	task := s.query(t, "select task_uuid::text from tasker.create_task('shop', 'large', '{}')")
	s.work(t, "many", 24, "")
	s.work(t, "broken", 1, "the disk is full")
	for _, l := range []look{lightDesktop, darkPhone} {
		p := open(t, s.url, l)
		p.login(t, s.token)
		p.visit(t, "/ui/tasks/"+task)
		require.LessOrEqual(t, value[int64](t, p, `document.querySelectorAll(".graph .node").length`), int64(100))
		require.Equal(t, int64(1), value[int64](t, p, `document.querySelectorAll(".graph .node.failed").length`))
		const seen = `(() => { const n = document.querySelector(".graph .node.failed").getBoundingClientRect(), d = document.querySelector(".drawing").getBoundingClientRect(); return n.left >= d.left && n.right <= d.right && n.top >= d.top && n.bottom <= d.bottom })()`
		require.True(t, value[bool](t, p, seen), "it opens at the failure")
		if l == lightDesktop { // axe takes long for so many rows.
			p.requireAccessible(t, "a folded graph")
		}
		keepPicture(t, p, l, "graph-folded")
		p.run(t, chromedp.Evaluate(`document.querySelector(".drawing").scrollIntoView()`, nil))
		keepPicture(t, p, l, "graph-folded-drawing")
		p.run(t, chromedp.Click("[data-zoom=fit]"))
		require.True(t, value[bool](t, p, `document.querySelector(".graph").getBoundingClientRect().width <= document.querySelector(".drawing").clientWidth`), "all of it fits")
		p.run(t, chromedp.Click("[data-zoom=next]"))
		p.until(t, seen)
		p.run(t, chromedp.Click(".graphtools a"))
		p.until(t, `document.querySelectorAll(".graph .node").length == 500`)
		keepPicture(t, p, l, "graph-whole")
		require.LessOrEqual(t, value[int64](t, p, "document.documentElement.scrollWidth"), l.width)
		require.Equal(t, int64(200), value[int64](t, p, `document.querySelectorAll("main table tbody tr").length`), "the list comes in pages")
	}
}

// An open page reads its parts only, compressed.
func TestParts_AreSmall(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := open(t, s.url, lightDesktop)
	p.login(t, s.token)
	p.visit(t, "/ui")
	var cookies []*network.Cookie
	p.run(t, chromedp.ActionFunc(func(ctx context.Context) (err error) {
		cookies, err = network.GetCookies().WithURLs([]string{s.url + "/ui"}).Do(ctx)
		return err
	}))
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+"/ui", http.NoBody)
	require.NoError(t, err)
	for _, c := range cookies {
		request.AddCookie(&http.Cookie{Name: c.Name, Value: c.Value})
	}
	request.Header.Set("X-Part", "1")
	request.Header.Set("Accept-Encoding", "gzip") // The client then leaves the answer compressed.
	answer, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer func() { require.NoError(t, answer.Body.Close()) }()
	require.Equal(t, http.StatusOK, answer.StatusCode)
	require.Equal(t, "gzip", answer.Header.Get("Content-Encoding"))
	size, err := io.Copy(io.Discard, answer.Body)
	require.NoError(t, err)
	require.NotZero(t, size)
	t.Logf("a part of the overview: %d bytes, %d an hour", size, size*720)
	require.Less(t, size*720, int64(5<<20), "an open overview, read every 5 s, moves at most 5 MiB an hour")
}

// The inbox shows a decision with its facts, and its outcome without an answer. A time among the alternatives is no time limit.
func TestInbox_ShowsTheDecisionWithItsFacts(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.execute(t, `select tasker.register_task_template('{"namespace": "shop", "name": "payout", "identity_strategy": "always_unique", "steps": [
		{"name": "ask", "description": "Refund of {amount} to {customer}", "await": [{"signal": "approved"}, {"for": "3d"}]}]}')`)
	s.execute(t, `select tasker.create_task('shop', 'payout', '{"amount": "€ 812.00", "customer": "Anna Berg", "order": {"no": 7}}')`)
	for _, l := range []look{lightDesktop, darkPhone} {
		p := open(t, s.url, l)
		p.login(t, s.token)
		p.visit(t, "/ui/waits?signal=approved")
		said := value[string](t, p, `[...document.querySelectorAll(".card.waiting")].find(c => c.innerText.includes("Anna")).innerText`)
		require.Contains(t, said, "Refund of € 812.00 to Anna Berg")
		require.Contains(t, said, "Without an answer it goes on in 2 d 23 h")
		require.NotContains(t, said, "fails")
		require.Contains(t, value[string](t, p, `document.querySelector(".waitgroup h2").innerText`), "shop/refund approve 1")
		require.LessOrEqual(t, value[int64](t, p, "document.documentElement.scrollWidth"), l.width)
		p.requireAccessible(t, "the inbox")
		keepPicture(t, p, l, "inbox-decisions")
	}
}
