package serve_test

import (
	"context"
	"html"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/serve"
)

// browser is a client with a session, which does not follow redirects.
type browser struct {
	site    *site
	cookies map[string]string
	http    *http.Client
}

func (s *site) browser() *browser {
	client := *s.http
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &browser{s, map[string]string{}, &client}
}

// screen is an answer to a browser.
type screen struct {
	status int
	header http.Header
	body   string
}

func (b *browser) send(t testing.TB, method, path string, form url.Values, headers ...string) screen {
	t.Helper()
	return b.sendWith(t.Context(), t, method, path, form, headers...)
}

func (b *browser) sendWith(ctx context.Context, t testing.TB, method, path string, form url.Values, headers ...string) screen {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, method, b.site.url+path, strings.NewReader(form.Encode()))
	require.NoError(t, err)
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	for name, value := range b.cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	response, err := b.http.Do(r)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	for _, c := range response.Cookies() {
		b.cookies[c.Name] = c.Value
		if c.MaxAge < 0 {
			delete(b.cookies, c.Name)
		}
	}
	return screen{response.StatusCode, response.Header, string(body)}
}

func (b *browser) get(t testing.TB, path string) screen {
	t.Helper()
	return b.send(t, http.MethodGet, path, nil)
}

// login makes a session of a token.
func (s *site) loggedIn(t testing.TB, token string) *browser {
	t.Helper()
	b := s.browser()
	a := b.send(t, http.MethodPost, "/ui/login", url.Values{"token": {token}})
	require.Equal(t, http.StatusSeeOther, a.status, a.body)
	require.NotEmpty(t, b.cookies["pgtasker_session"])
	return b
}

var (
	csrfField   = regexp.MustCompile(`name="csrf" value="([^"]+)"`)
	hiddenField = regexp.MustCompile(`<input type="hidden" name="(\w+)" value="([^"]*)">`)
)

// do fills in the form of an action and sends it, and returns the page that follows.
func (b *browser) do(t testing.TB, path string, form url.Values) screen {
	t.Helper()
	asked := b.get(t, path)
	require.Equal(t, http.StatusOK, asked.status, told(asked.body))
	found := csrfField.FindStringSubmatch(asked.body)
	require.NotNil(t, found, "%s has a form: %s", path, told(asked.body))
	form.Set("csrf", found[1])
	for _, hidden := range hiddenField.FindAllStringSubmatch(asked.body, -1) {
		if !form.Has(hidden[1]) {
			form.Set(hidden[1], html.UnescapeString(hidden[2]))
		}
	}
	a := b.send(t, http.MethodPost, path, form)
	if a.status != http.StatusSeeOther {
		return a
	}
	return b.get(t, a.header.Get("Location"))
}

func TestUI_AsksForATokenAndKeepsItFromScriptsAndOtherSites(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, shop)
	task := s.createTask(t, "one")
	token := s.token(t, "ops", "operator", "*")
	b := s.browser()
	a := b.get(t, "/ui/tasks/"+task+"?show=story")
	require.Equal(t, http.StatusSeeOther, a.status)
	require.Equal(t, "/ui/login?next="+url.QueryEscape("/ui/tasks/"+task+"?show=story"), a.header.Get("Location"))
	require.Equal(t, http.StatusOK, b.get(t, a.header.Get("Location")).status)

	for _, wrong := range []string{"", "x", "tasker_", token + "x"} {
		a = b.send(t, http.MethodPost, "/ui/login", url.Values{"token": {wrong}})
		require.Equal(t, http.StatusUnauthorized, a.status)
		require.Contains(t, a.body, "the token is not known")
		require.Empty(t, b.cookies["pgtasker_session"])
	}
	a = b.send(t, http.MethodPost, "/ui/login", url.Values{"token": {token}}, "Sec-Fetch-Site", "cross-site")
	require.Equal(t, http.StatusForbidden, a.status, "a login is not accepted from another site")
	for _, next := range []string{"https://evil.example/", "//evil.example", "/uix", "/ui\\evil", "javascript:alert(1)"} {
		a = b.send(t, http.MethodPost, "/ui/login", url.Values{"token": {token}, "next": {next}})
		require.Equal(t, "/ui", a.header.Get("Location"), next)
	}
	cookie := a.header.Get("Set-Cookie")
	for _, part := range []string{"HttpOnly", "SameSite=Strict", "Path=/ui", "Max-Age=43200"} {
		require.Contains(t, cookie, part)
	}
	a = b.get(t, "/ui/tasks/"+task+"?show=story")
	require.Equal(t, http.StatusOK, a.status)
	require.NotContains(t, a.body, token)
	require.Equal(t, http.StatusUnauthorized, b.get(t, "/v1/tasks").status, "the session is the page's, not REST's")
	require.NotContains(t, s.log.String(), token)

	s.execute(t, "select tasker.revoke_token('ops')")
	a = b.get(t, "/ui")
	require.Equal(t, http.StatusUnauthorized, a.status, "a revoked token ends the session with the next request")
	require.Contains(t, a.body, "has been revoked")
	require.Empty(t, b.cookies["pgtasker_session"])
}

// told is the main part of a page, for messages of tests.
func told(body string) string {
	main := mainOf(body)
	return main[:min(len(main), 1500)]
}

// mainOf returns the main part of a page.
func mainOf(body string) string {
	_, main, _ := strings.Cut(body, "<main")
	main, _, _ = strings.Cut(main, "</main>")
	return main
}

// policy is the only one that a page of ours has.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; " +
	"base-uri 'none'; frame-ancestors 'none'"

var (
	quoted  = regexp.MustCompile(`"[^"]*"`)
	inlined = regexp.MustCompile(`(?i)<script[^>]*>[^<]|<style|<[a-z][^>]*\s(style|on[a-z]+)=`)
	pointer = regexp.MustCompile(`>\s*0x[0-9a-f]{6,}\s*<`)
	foreign = regexp.MustCompile(`(?i)(src|href|action)="(https?:)?//`)
	runbook = regexp.MustCompile(`<a href="https://[^"]*"( target="_blank")? rel="noreferrer">`) // a link of the setting "runbook"
)

// requirePage fails the test unless the answer is a page as ours are: nothing inline, nothing from elsewhere.
func requirePage(t testing.TB, a screen, status int, path string) {
	t.Helper()
	require.Equal(t, status, a.status, "%s: %s", path, told(a.body))
	require.Equal(t, policy, a.header.Get("Content-Security-Policy"), path)
	require.Equal(t, "nosniff", a.header.Get("X-Content-Type-Options"), path)
	require.Equal(t, "no-store", a.header.Get("Cache-Control"), path)
	require.Empty(t, inlined.FindString(quoted.ReplaceAllString(a.body, `""`)), path)
	require.NotContains(t, a.body, `="javascript:`, path)
	require.Empty(t, foreign.FindString(runbook.ReplaceAllString(a.body, "")), path)
	require.Empty(t, pointer.FindString(a.body), path)
	require.True(t, strings.HasSuffix(strings.TrimSpace(a.body), "</html>"), "%s is whole", path)
}
