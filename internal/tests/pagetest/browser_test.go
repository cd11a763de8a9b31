package pagetest

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// within is the longest wait for a page, on a busy machine.
const within = time.Minute

// look is how a person has set up the screen.
type look struct {
	name, scheme  string
	width, height int64
}

var (
	lightDesktop = look{"desktop-light", "light", 1280, 800}
	darkDesktop  = look{"desktop-dark", "dark", 1280, 800}
	lightPhone   = look{"phone-light", "light", 360, 740}
	darkPhone    = look{"phone-dark", "dark", 360, 740}
)

// browser is the one Chromium of all tests that run at the same time. Each test has a tab of its own, with its own cookies.
var browser struct {
	mutex sync.Mutex
	users int
	ctx   context.Context
	stop  func()
}

// chromium returns a browser, which ends with the last test that uses it.
func chromium(t testing.TB) context.Context {
	t.Helper()
	browser.mutex.Lock()
	defer browser.mutex.Unlock()
	if browser.users == 0 {
		startChromium(t)
	}
	browser.users++
	t.Cleanup(func() {
		browser.mutex.Lock()
		defer browser.mutex.Unlock()
		if browser.users--; browser.users == 0 {
			browser.stop()
		}
	})
	return browser.ctx
}

func startChromium(t testing.TB) {
	t.Helper()
	path := os.Getenv("PGTASKER_TEST_CHROMIUM")
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); path == "" && err == nil {
			path = found
		}
	}
	require.NotEmpty(t, path, "there is no Chromium: tools/page.sh installs Debian's")
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.Flag("lang", "en"))
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, end := chromedp.NewContext(allocator)
	browser.ctx, browser.stop = ctx, func() {
		_ = chromedp.Cancel(ctx) // Waits until the browser has ended.
		end()
		stop()
	}
	// The first run starts the browser, which ends with its context.
	if err := chromedp.Run(ctx); err != nil {
		browser.stop()
		require.NoError(t, err)
	}
}

// newWindow opens a window that shares no cookies with others, and returns the context of its tab.
func newWindow(t testing.TB, ctx context.Context) context.Context {
	t.Helper()
	of := cdp.WithExecutor(ctx, chromedp.FromContext(ctx).Browser)
	cookies, err := target.CreateBrowserContext().Do(of)
	require.NoError(t, err)
	id, err := target.CreateTarget("about:blank").WithBrowserContextID(cookies).WithNewWindow(true).Do(of)
	require.NoError(t, err)
	tab, leave := chromedp.NewContext(ctx, chromedp.WithTargetID(id))
	t.Cleanup(func() {
		leave()
		_ = target.DisposeBrowserContext(cookies).Do(of) // closes the window
	})
	require.NoError(t, chromedp.Run(tab)) // The first run attaches to the tab, for as long as its context lives.
	return tab
}

// tab is a page that a person looks at.
type tab struct {
	ctx  context.Context
	base string
	// complaints are errors of scripts, and resources that the page's policy kept from loading.
	mutex      sync.Mutex
	complaints []string
}

// open opens a tab.
func open(t testing.TB, base string, l look) *tab {
	t.Helper()
	ctx := newWindow(t, chromium(t))
	p := &tab{ctx: ctx, base: base}
	chromedp.ListenTarget(ctx, func(event any) {
		p.mutex.Lock()
		defer p.mutex.Unlock()
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			p.complaints = append(p.complaints, e.ExceptionDetails.Error())
		case *cdplog.EventEntryAdded:
			// The pages of an identity provider may load anything.
			foreign := e.Entry.Source == cdplog.SourceNetwork && !strings.HasPrefix(e.Entry.URL, base)
			if !foreign && (e.Entry.Level == cdplog.LevelError || e.Entry.Source == cdplog.SourceSecurity) {
				p.complaints = append(p.complaints, e.Entry.Text+" "+e.Entry.URL)
			}
		}
	})
	// The tab counts as visible, even behind other windows.
	p.run(t, cdplog.Enable(), runtime.Enable(), emulation.SetFocusEmulationEnabled(true), p.as(l))
	return p
}

// as sets up the screen.
func (p *tab) as(l look) chromedp.Action {
	return chromedp.Tasks{
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: l.scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}}),
		emulation.SetDeviceMetricsOverride(l.width, l.height, 1, l.width < 600),
	}
}

// onPhone shows the page on a phone, on which it must fit, and then on a desktop again.
func (p *tab) onPhone(t testing.TB, name string) {
	t.Helper()
	p.run(t, p.as(darkPhone))
	p.until(t, "innerWidth < 600")
	require.LessOrEqual(t, value[int64](t, p, "document.documentElement.scrollWidth"), darkPhone.width, name)
	p.requireAccessible(t, name+" on a phone")
	keepPicture(t, p, darkPhone, name)
	p.run(t, p.as(lightDesktop))
	p.until(t, "innerWidth > 600")
}

func (p *tab) run(t testing.TB, actions ...chromedp.Action) {
	t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, within)
	defer cancel()
	require.NoError(t, chromedp.Run(ctx, actions...))
}

// login types the token and presses Enter, as a person does.
func (p *tab) login(t testing.TB, token string) {
	t.Helper()
	p.run(t, chromedp.Navigate(p.base+"/ui/login"), chromedp.SendKeys("#token", token+"\r"), chromedp.WaitVisible("nav.menu"))
}

func (p *tab) visit(t testing.TB, path string) {
	t.Helper()
	p.run(t, chromedp.Navigate(p.base+path), chromedp.WaitReady("body"))
}

// press types keys where the focus is.
func (p *tab) press(t testing.TB, keys ...string) {
	t.Helper()
	for _, key := range keys {
		switch key {
		case kb.Enter:
			p.run(t, stroke("Enter", "\r", 13))
		case kb.Tab:
			p.run(t, stroke("Tab", "", 9))
		case kb.Escape:
			p.run(t, stroke("Escape", "", 27))
		default:
			for _, r := range key {
				p.run(t, stroke(string(r), string(r), 0))
			}
		}
	}
}

// stroke presses and releases a key. If a script prevents the browser's default action, the text is not typed either.
func stroke(key, text string, code int64) chromedp.Action {
	return chromedp.Tasks{
		input.DispatchKeyEvent(input.KeyDown).WithKey(key).WithText(text).WithWindowsVirtualKeyCode(code),
		input.DispatchKeyEvent(input.KeyUp).WithKey(key).WithWindowsVirtualKeyCode(code),
	}
}

// value returns the value of an expression in the page.
func value[T any](t testing.TB, p *tab, expression string) (v T) {
	t.Helper()
	p.run(t, chromedp.Evaluate(expression, &v))
	return v
}

// until waits until an expression holds in the page.
func (p *tab) until(t testing.TB, expression string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, within)
	defer cancel()
	for {
		var holds bool
		err := chromedp.Run(ctx, chromedp.Evaluate("!!("+expression+")", &holds)) // While a page loads, it may have no context for scripts.
		if err == nil && holds {
			return
		}
		if ctx.Err() != nil {
			require.Fail(t, "it did not come to that", "%s\n%v\n%s", expression, err, value[string](t, p, "location.href + '\\n' + document.querySelector('main').innerText.slice(0, 1000)"))
		}
		timer := time.NewTimer(30 * time.Millisecond)
		select {
		case <-timer.C:
		case <-ctx.Done():
		}
	}
}

// forgive clears the browser's complaints.
func (p *tab) forgive() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.complaints = nil
}

// requireQuiet fails the test if the browser has a complaint.
func (p *tab) requireQuiet(t testing.TB, where string) {
	t.Helper()
	p.mutex.Lock()
	defer p.mutex.Unlock()
	require.Empty(t, p.complaints, where)
}

// awaited makes an expression that is a promise wait for its value.
func awaited(e *runtime.EvaluateParams) *runtime.EvaluateParams { return e.WithAwaitPromise(true) }

// violation is a finding of axe-core.
type violation struct {
	ID, Help string
	Nodes    []struct{ HTML, FailureSummary string }
}

var axe = sync.OnceValues(func() (string, error) {
	path := os.Getenv("PGTASKER_TEST_AXE")
	if path == "" {
		return "", fmt.Errorf("PGTASKER_TEST_AXE names no axe.min.js: run make test-page")
	}
	text, err := os.ReadFile(path)
	return string(text), err
})

// requireAccessible fails the test if axe-core finds a violation of WCAG 2.2 AA or of good practice. Rules that are
// off do not hold in this place.
func (p *tab) requireAccessible(t testing.TB, where string, off ...string) {
	t.Helper()
	script, err := axe()
	require.NoError(t, err)
	rules := map[string]any{}
	for _, rule := range off {
		rules[rule] = map[string]bool{"enabled": false}
	}
	disabled, err := json.Marshal(rules)
	require.NoError(t, err)
	var found string
	p.run(t, chromedp.Evaluate(script+";0", nil), chromedp.Evaluate(
		`axe.run(document, {resultTypes: ["violations"], rules: `+string(disabled)+`}).then(r => JSON.stringify(r.violations))`, &found,
		awaited,
	))
	var violations []violation
	require.NoError(t, json.Unmarshal([]byte(found), &violations))
	var said []string
	for _, v := range violations {
		for _, n := range v.Nodes[:min(len(v.Nodes), 3)] {
			said = append(said, fmt.Sprintf("%s: %s\n    %s\n    %s", v.ID, v.Help, n.HTML, strings.ReplaceAll(n.FailureSummary, "\n", " ")))
		}
	}
	assert.Empty(t, said, "%s\n%s", where, strings.Join(said, "\n"))
}
