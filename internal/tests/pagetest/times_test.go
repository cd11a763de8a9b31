package pagetest

import (
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// A time is a distance, the clock of the reader or UTC, as the reader chose. Its title has both clocks. The choice stays for other pages.
func TestTimes_AreDistancesLocalOrUTC(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := open(t, s.url, lightDesktop)
	p.run(t, emulation.SetTimezoneOverride("Asia/Kolkata"))
	p.login(t, s.token)
	p.visit(t, "/ui/tasks")
	const first = `document.querySelector("#list time")`
	// clock is the instant of the time on a clock that is so many minutes before UTC.
	clock := func(minutes string) string {
		return `new Date(Date.parse(` + first + `.dateTime) + ` + minutes + ` * 60000).toISOString().slice(0, 19).replace("T", " ")`
	}
	p.until(t, `/ ago$|^now$/.test(`+first+`.innerText)`)
	p.until(t, first+`.title.startsWith(`+clock("330")+`) && `+first+`.title.endsWith(", " + `+clock("0")+` + " UTC")`)
	choose := func() {
		p.run(t, chromedp.Click(".me summary"), chromedp.Click("[data-times]"))
	}
	choose()
	p.until(t, first+`.innerText == `+clock("330"))
	require.Contains(t, value[string](t, p, `document.querySelector("[data-times]").innerText`), "local")
	p.requireAccessible(t, "local times")
	p.visit(t, "/ui/tasks/"+s.blocked)
	p.until(t, `[...document.querySelectorAll("main time:not([data-span])")].every(e => /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(e.innerText))`)
	choose()
	p.visit(t, "/ui/tasks")
	p.until(t, first+`.innerText == `+clock("0")+` + " UTC"`)
	choose()
	p.until(t, `/ ago$|^now$/.test(`+first+`.innerText)`)
	p.requireQuiet(t, "choosing how times are written")
}
