package oidc_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	mathrand "math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/serve"
	"github.com/pgtasker/pgtasker/serve/oidc"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// site is a server whose people sign in at a provider.
type site struct {
	*identity
	admin   *pgxpool.Pool
	address string
	client  *http.Client
}

func newSite(t testing.TB) *site { return newSiteOver(t, false) }

// newSiteOver returns a site that browsers reach by TLS, or not.
func newSiteOver(t testing.TB, secure bool) *site {
	t.Helper()
	s := &site{identity: newIdentity(t), admin: pgtest.New(t)}
	login := fmt.Sprintf("oidc_web_%x", mathrand.Uint64())
	s.execute(t, fmt.Sprintf("create role %s login noinherit; grant tasker_server, tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader to %s", login, login))
	t.Cleanup(func() { _, _ = s.admin.Exec(context.Background(), "drop role "+login) })
	config := s.admin.Config().Copy()
	if config.ConnConfig.Password != "" {
		s.execute(t, fmt.Sprintf("alter role %s password '%s'", login, config.ConnConfig.Password))
	}
	config.ConnConfig.User, config.MaxConns = login, 4
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(pool.Close)

	provider, err := oidc.New(oidc.Config{Issuer: s.url, ClientID: clientID, ClientSecret: "secret", Audience: audience, Name: "Corp"})
	require.NoError(t, err)
	server := httptest.NewUnstartedServer(nil)
	s.address = "http://" + server.Listener.Addr().String()
	if secure {
		s.address = "https://" + server.Listener.Addr().String()
	}
	handler, err := serve.New(t.Context(), pool, serve.Config{Provider: provider, PublicURL: s.address, Logger: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	server.Config.Handler = handler
	if secure {
		server.StartTLS()
	} else {
		server.Start()
	}
	s.client = server.Client()
	s.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	t.Cleanup(server.Close)
	t.Cleanup(handler.Close)
	s.execute(t, `select tasker.register_task_template('{"namespace": "shop", "name": "order", "identity_strategy": "always_unique", "steps": [{"name": "a"}]}');
		select tasker.register_task_template('{"namespace": "bank", "name": "loan", "identity_strategy": "always_unique", "steps": [{"name": "a"}]}');
		select tasker.map_access('groups', 'staff');
		select tasker.map_access('groups', 'shop-ops', 'tasker_operator', '{shop}')`)
	return s
}

func (s *site) execute(t testing.TB, sql string, args ...any) {
	t.Helper()
	_, err := s.admin.Exec(t.Context(), sql, args...)
	require.NoError(t, err)
}

func (s *site) query(t testing.TB, sql string, args ...any) (text string) {
	t.Helper()
	require.NoError(t, s.admin.QueryRow(t.Context(), sql, args...).Scan(&text))
	return text
}

// browser is a client with cookies, which does not follow redirects.
type browser struct {
	site    *site
	cookies map[string]string
}

func (s *site) browser() *browser { return &browser{s, map[string]string{}} }

type screen struct {
	status   int
	location string
	body     string
	cookies  []*http.Cookie
}

func (b *browser) send(t testing.TB, method, to string, form url.Values, headers ...string) screen {
	t.Helper()
	if !strings.HasPrefix(to, "http") {
		to = b.site.address + to
	}
	r, err := http.NewRequestWithContext(t.Context(), method, to, strings.NewReader(form.Encode()))
	require.NoError(t, err)
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header[headers[i]] = append(r.Header[headers[i]][:0:0], headers[i+1])
	}
	for name, value := range b.cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	response, err := b.site.client.Do(r)
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
	return screen{response.StatusCode, response.Header.Get("Location"), string(body), response.Cookies()}
}

func (b *browser) get(t testing.TB, to string) screen {
	t.Helper()
	return b.send(t, http.MethodGet, to, nil)
}

// begin goes to the provider, and returns the address there.
func (b *browser) begin(t testing.TB, next string) string {
	t.Helper()
	begun := b.get(t, "/ui/sign-in?next="+url.QueryEscape(next))
	require.Equal(t, http.StatusSeeOther, begun.status, begun.body)
	require.True(t, strings.HasPrefix(begun.location, b.site.url+"/authorize?"), begun.location)
	return begun.location
}

// signIn signs in, and returns the answer of the server to the browser that comes back.
func (b *browser) signIn(t testing.TB) screen {
	t.Helper()
	return b.get(t, b.site.grant(t, b.begin(t, "/ui/tasks")))
}

// mustSignIn signs in.
func (b *browser) mustSignIn(t testing.TB) {
	t.Helper()
	back := b.signIn(t)
	require.Equal(t, http.StatusSeeOther, back.status, back.body)
	require.Equal(t, "/ui/tasks", back.location)
}

var csrf = regexp.MustCompile(`name="csrf" value="([^"]+)"`)

func (b *browser) csrf(t testing.TB, path string) string {
	t.Helper()
	found := csrf.FindStringSubmatch(b.get(t, path).body)
	require.NotNil(t, found, path)
	return found[1]
}

// pass lets the time of the database pass, by moving what sessions have seen.
func (s *site) pass(t testing.TB, d time.Duration) {
	t.Helper()
	s.execute(t, `update tasker.access_sessions as s
		set seen_at = s.seen_at - $1::interval, refresh_at = s.refresh_at - $1::interval, ends_at = s.ends_at - $1::interval, signed_in_at = s.signed_in_at - $1::interval`, d)
}
