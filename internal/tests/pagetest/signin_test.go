package pagetest

import (
	"bufio"
	"encoding/json"
	"io"
	"log/slog"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/serve"
	"github.com/pgtasker/pgtasker/serve/oidc"
)

// company is a site whose people sign in at an identity provider, oidc-provider in a process of its own.
type company struct {
	*site
	issuer string
	mutex  sync.Mutex
	input  io.Writer
	output *bufio.Scanner
}

func newCompany(t testing.TB) *company {
	t.Helper()
	modules := os.Getenv("PGTASKER_TEST_MODULES")
	require.NotEmpty(t, modules, "PGTASKER_TEST_MODULES names no node_modules: run make test-signin")
	server := httptest.NewUnstartedServer(nil)
	c := &company{site: &site{pool: pgtest.New(t), url: "http://" + server.Listener.Addr().String()}}
	node := exec.Command("node", "provider.mjs", modules, c.url)
	node.Stderr = io.Discard // It warns that it is not meant for production.
	input, err := node.StdinPipe()
	require.NoError(t, err)
	output, err := node.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, node.Start())
	t.Cleanup(func() { _ = input.Close(); _ = node.Wait() })
	c.input, c.output = input, bufio.NewScanner(output)
	require.True(t, c.output.Scan(), "the identity provider starts")
	c.issuer = c.output.Text()

	provider, err := oidc.New(oidc.Config{
		Issuer: c.issuer, ClientID: "tasker", ClientSecret: "a secret of the test alone", Name: "Corp", Parameters: map[string]string{"prompt": "consent"},
	})
	require.NoError(t, err)
	served, err := pgxpool.NewWithConfig(t.Context(), c.pool.Config())
	require.NoError(t, err)
	t.Cleanup(served.Close)
	handler, err := serve.New(t.Context(), served, serve.Config{Loopback: true, Provider: provider, PublicURL: c.url, Logger: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	server.Config.Handler = handler
	server.Start()
	t.Cleanup(func() { handler.Close(); server.CloseClientConnections(); server.Close() })
	c.execute(t, fixture)
	c.execute(t, `select tasker.register_task_template('{"namespace": "bank", "name": "loan", "identity_strategy": "always_unique", "steps": [{"name": "a"}]}');
		select tasker.map_access('groups', 'staff');
		select tasker.map_access('groups', 'shop-ops', 'tasker_operator', '{shop}')`)
	c.open = c.create(t, "A-1")
	return c
}

// change changes the identity provider from now on.
func (c *company) change(t testing.TB, what map[string]any) {
	t.Helper()
	c.mutex.Lock()
	defer c.mutex.Unlock()
	line, err := json.Marshal(what)
	require.NoError(t, err)
	_, err = c.input.Write(append(line, '\n'))
	require.NoError(t, err)
	require.True(t, c.output.Scan(), "the identity provider answers")
	require.Equal(t, "done", c.output.Text())
}

// due lets the refresh of all sessions be due.
func (c *company) due(t testing.TB) {
	t.Helper()
	c.execute(t, "update tasker.access_sessions set refresh_at = now()")
}

// seesAfterRefresh requires that a text is on the page once the session is refreshed. A request of the page itself may have begun a
// refresh before the provider changed.
func (c *company) seesAfterRefresh(t testing.TB, p *tab, text string) {
	t.Helper()
	require.Eventually(t, func() bool {
		c.due(t)
		p.visit(t, "/ui/tasks")
		return strings.Contains(p.text(t), text)
	}, within, 30*time.Millisecond, text)
}

// prove enters a name and a password at the provider, and agrees.
func (p *tab) prove(t testing.TB, person string) {
	t.Helper()
	p.run(t, chromedp.WaitVisible(`input[name="login"]`), chromedp.SendKeys(`input[name="login"]`, person), chromedp.SendKeys(`input[name="password"]`, "x"),
		chromedp.Click(`button[type="submit"]`))
	p.agree(t)
}

func (p *tab) agree(t testing.TB) {
	t.Helper()
	p.until(t, `document.querySelector('input[name="prompt"][value="consent"]') || location.pathname.startsWith('/ui')`)
	p.run(t, chromedp.Click(`button[type="submit"]`))
	p.until(t, "location.origin == '"+p.base+"' && document.readyState == 'complete'")
}

// signIn signs a person in from the login page.
func (p *tab) signIn(t testing.TB, person string) {
	t.Helper()
	p.visit(t, "/ui/tasks")
	require.Equal(t, "/ui/login", value[string](t, p, "location.pathname"))
	p.run(t, chromedp.Click(".login a.primary"))
	p.prove(t, person)
}

func (p *tab) text(t testing.TB) string {
	t.Helper()
	return value[string](t, p, "document.body.textContent")
}

func TestSignIn_ActsAsThePersonWithTheMappedRole(t *testing.T) {
	t.Parallel()
	c := newCompany(t)
	c.change(t, map[string]any{"groups": []string{"staff", "shop-ops"}})
	bank := c.query(t, "select task_uuid::text from tasker.create_task('bank', 'loan', '{}')")
	p := open(t, c.url, lightDesktop)
	p.signIn(t, "ann")
	require.Equal(t, "/ui/tasks", value[string](t, p, "location.pathname"), "the page that was asked for")
	require.Contains(t, p.text(t), "ann@corp.example (ann)")
	require.Contains(t, p.text(t), "tasker operator")
	require.NotContains(t, value[string](t, p, "document.body.innerHTML"), bank, "another namespace is not shown")
	p.run(t, chromedp.Click(".me summary"))
	keepPicture(t, p, lightDesktop, "signed-in")

	p.visit(t, "/ui/tasks/"+c.open+"/cancel")
	require.Contains(t, p.text(t), "names you as ann@corp.example (ann)")
	p.run(t, chromedp.SendKeys("#reason", "the customer called"), chromedp.Click(".ask button"), chromedp.WaitVisible(".note.done"))
	p.visit(t, "/ui/tasks/"+c.open+"?show=story")
	require.Contains(t, p.text(t), "person ann@corp.example (ann)")
	require.Equal(t, "person ann@corp.example (ann)", c.query(t, "select actor from tasker.get_task_history($1) where event = 'Cancel' and step_no is null", c.open))
	require.Equal(t, "ann@corp.example", c.query(t, "select l.becomes ->> 'email' from tasker.list_administration(p_kind => 'access_sessions') as l"))
	p.requireQuiet(t, "signed in")
}

func TestSignIn_FollowsTheGroups(t *testing.T) {
	t.Parallel()
	c := newCompany(t)
	c.change(t, map[string]any{"groups": []string{"shop-ops"}})
	p := open(t, c.url, lightDesktop)
	p.signIn(t, "ann")
	c.change(t, map[string]any{"groups": []string{"staff"}})
	c.seesAfterRefresh(t, p, "tasker reader")
	c.change(t, map[string]any{"groups": []string{"guests"}})
	c.seesAfterRefresh(t, p, "You have no access to pgtasker.")
	p.requireAccessible(t, "no access")

	other := open(t, c.url, lightDesktop)
	other.signIn(t, "bob")
	require.Contains(t, other.text(t), "You signed in as bob@corp.example (bob)", "a person without a map does not get in")
	require.Equal(t, "1", c.query(t, "select count(*)::text from tasker.list_sessions(true)"))
	c.change(t, map[string]any{"groups": []string{"staff"}})
	c.seesAfterRefresh(t, p, "tasker reader") // the group came back
}

func TestSignIn_EndsHereAndAtTheProvider(t *testing.T) {
	t.Parallel()
	c := newCompany(t)
	p := open(t, c.url, lightDesktop)
	p.signIn(t, "ann")
	p.run(t, chromedp.Click(".me summary"), chromedp.Click(`form[action="/ui/logout"] button`))
	// The provider asks the person to confirm, and sends the browser back.
	p.until(t, "location.origin == '"+c.issuer+"' && document.querySelector('button[name=logout]')")
	require.Equal(t, "ended", c.query(t, "select status from tasker.list_sessions(true)"))
	p.run(t, chromedp.Click(`button[name="logout"]`))
	p.until(t, "location.href.startsWith('"+c.url+"/ui/login')")
	p.run(t, chromedp.Click(".login a.primary"), chromedp.WaitVisible(`input[name="login"]`)) // It has forgotten the person.
	p.visit(t, "/ui/tasks")
	require.Equal(t, "/ui/login", value[string](t, p, "location.pathname"))
}

func TestSignIn_TwoBrowsersHaveTwoSessions(t *testing.T) {
	t.Parallel()
	c := newCompany(t)
	one, two := open(t, c.url, lightDesktop), open(t, c.url, darkPhone)
	one.signIn(t, "ann")
	two.signIn(t, "ann")
	require.Equal(t, "2", c.query(t, "select count(*)::text from tasker.list_sessions()"))
	// A page that watches is told, too.
	one.visit(t, "/ui/tasks")
	one.until(t, "document.querySelector('.live.on')")
	c.execute(t, "select tasker.end_session((select min(s.session_uuid::text)::uuid from tasker.list_sessions() as s))")
	one.until(t, "document.body.innerText.includes('the session has ended')")
	two.visit(t, "/ui/tasks")
	require.Contains(t, two.text(t), "ann@corp.example")
	c.execute(t, "update tasker.access_sessions set ends_at = now()")
	two.visit(t, "/ui/tasks")
	require.Contains(t, two.text(t), "the session has expired")
}

func TestSignIn_ProviderAway(t *testing.T) {
	t.Parallel()
	c := newCompany(t)
	p, late := open(t, c.url, lightDesktop), open(t, c.url, lightDesktop)
	p.signIn(t, "ann")
	late.visit(t, "/ui/login")
	c.change(t, map[string]any{"away": true})
	c.due(t)
	p.visit(t, "/ui/tasks")
	require.Contains(t, p.text(t), "tasker reader", "people who are signed in work on")
	newcomer := newAwayCompany(t, c)
	late.base = newcomer
	late.visit(t, "/ui/login")
	late.run(t, chromedp.Click(".login a.primary"), chromedp.WaitVisible(".problem"))
	require.Contains(t, late.text(t), "Corp does not answer.", "others are told")
	late.requireAccessible(t, "provider away")
	c.change(t, map[string]any{"away": false, "groups": []string{"guests"}})
	c.due(t)
	p.visit(t, "/ui/tasks")
	require.Contains(t, p.text(t), "You have no access to pgtasker.", "and the refresh is made up for")
}

// newAwayCompany returns the address of a server that starts while the provider is away, on the same database.
func newAwayCompany(t testing.TB, c *company) string {
	t.Helper()
	provider, err := oidc.New(oidc.Config{Issuer: c.issuer, ClientID: "tasker", Name: "Corp"})
	require.NoError(t, err)
	server := httptest.NewUnstartedServer(nil)
	address := "http://" + server.Listener.Addr().String()
	handler, err := serve.New(t.Context(), c.pool, serve.Config{Loopback: true, Provider: provider, PublicURL: address, Logger: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	server.Config.Handler = handler
	server.Start()
	t.Cleanup(func() { handler.Close(); server.CloseClientConnections(); server.Close() })
	return address
}

func TestSignIn_AgainBeforeManyThings(t *testing.T) {
	t.Parallel()
	c := newCompany(t)
	c.change(t, map[string]any{"groups": []string{"shop-ops"}})
	p := open(t, c.url, lightDesktop)
	p.signIn(t, "ann")
	c.execute(t, "update tasker.access_sessions set signed_in_at = now() - interval '1 hour'")
	p.visit(t, "/ui/selection?action=cancel&task="+c.open)
	require.Equal(t, "Sign in again", value[string](t, p, "document.querySelector('h1').innerText"))
	p.requireAccessible(t, "sign in again")
	p.run(t, chromedp.Click(".ask a.primary"))
	p.prove(t, "ann") // The provider knows the person, and asks all the same.
	require.True(t, strings.HasPrefix(value[string](t, p, "location.pathname + location.search"), "/ui/selection?action=cancel"))
	p.run(t, chromedp.SendKeys("#reason", "enough"), chromedp.Click(".ask button"), chromedp.WaitVisible(".note.done"))
	require.Equal(t, "1 cancel", c.query(t, "select count(*) || ' ' || min(action) from tasker.list_mass_actions()"))
}

func TestSignIn_PagesFitAndAreAccessible(t *testing.T) {
	t.Parallel()
	c := newCompany(t)
	for _, l := range []look{lightDesktop, darkDesktop, lightPhone, darkPhone} {
		c.change(t, map[string]any{"groups": []string{"guests"}})
		p := open(t, c.url, l)
		check := func(name string) {
			require.LessOrEqual(t, value[int64](t, p, "document.documentElement.scrollWidth"), l.width, name)
			require.Equal(t, int64(1), value[int64](t, p, "document.querySelectorAll('h1').length"), name)
			p.requireAccessible(t, name+" "+l.name)
			keepPicture(t, p, l, name)
		}
		p.visit(t, "/ui/login")
		check("login-oidc")
		p.signIn(t, "ann")
		check("no-access")
		c.change(t, map[string]any{"groups": []string{"shop-ops"}})
		p.run(t, chromedp.Click(".login a.primary"))
		p.prove(t, "ann")
		c.execute(t, "update tasker.access_sessions set signed_in_at = now() - interval '1 hour'")
		p.visit(t, "/ui/selection?action=cancel&task="+c.open)
		check("sign-in-again")
	}
}
