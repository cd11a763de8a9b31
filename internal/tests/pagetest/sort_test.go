package pagetest

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// The heads of columns sort a list, by mouse and by keyboard. The address has the order, and screen readers hear it.
func TestSort_ByTheHeadsOfColumns(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := open(t, s.url, lightDesktop)
	p.login(t, s.token)
	const names = `[...document.querySelectorAll("tbody tr td a b")].map(b => b.innerText.toLowerCase()).join()`
	for path, column := range map[string]string{"/ui/tasks": "Task", "/ui/templates": "Template", "/ui/settings": "Setting", "/ui/dead-letters?status=all": "Task"} {
		p.visit(t, path)
		head := `[...document.querySelectorAll("thead th")].find(h => h.innerText.trim().startsWith("` + column + `"))`
		p.run(t, chromedp.Evaluate(head+`.querySelector("a").focus()`, nil))
		p.press(t, kb.Enter)
		p.until(t, `location.search.includes("sort=") && document.readyState == "complete" && `+head)
		first := value[string](t, p, head+`.getAttribute("aria-sort")`)
		require.Contains(t, []string{"ascending", "descending"}, first, path)
		rows := value[string](t, p, names)
		p.requireAccessible(t, "a sorted list")
		p.run(t, chromedp.Evaluate(head+`.querySelector("a").setAttribute("data-clicked", "")`, nil), chromedp.Click("[data-clicked]"))
		p.until(t, `document.readyState == "complete" && `+head+` && `+head+`.getAttribute("aria-sort") != "`+first+`"`)
		p.visit(t, value[string](t, p, "location.pathname + location.search")) // as a colleague who was sent the address
		require.NotEqual(t, first, value[string](t, p, head+`.getAttribute("aria-sort")`), path)
		if path != "/ui/dead-letters?status=all" && path != "/ui/settings" {
			require.NotEqual(t, rows, value[string](t, p, names), path)
		}
		require.Equal(t, int64(1), value[int64](t, p, `document.querySelectorAll("th[aria-sort]").length`), path)
		keepPicture(t, p, lightDesktop, "sorted")
	}
	// Workers are cards, which links above them sort.
	s.execute(t, seen)
	p.visit(t, "/ui/workers")
	p.run(t, chromedp.Evaluate(`[...document.querySelectorAll(".tokens a")].find(a => a.innerText == "Name").setAttribute("data-clicked", "")`, nil), chromedp.Click("[data-clicked]"))
	p.until(t, `location.search == "?sort=name" && document.readyState == "complete" && [...document.querySelectorAll(".cards h2")].map(h => h.innerText.split(".")[0]).join() == "packer,worker-1"`)
	p.requireAccessible(t, "sorted cards")
	p.onPhone(t, "workers-sorted")
	// A task that is created while a person looks is shown in the order of the list.
	p.visit(t, "/ui/tasks?sort=name")
	p.until(t, "document.querySelector('.live.on')")
	added := s.create(t, "S-1")
	p.until(t, "document.getElementById('t"+added+"')")
	require.True(t, value[bool](t, p, `(n => n.every((v, i) => !i || n[i - 1] <= v))([...document.querySelectorAll("tbody tr td a b")].map(b => b.innerText.split("/")[1]))`))
	p.requireQuiet(t, "sorting")
}
