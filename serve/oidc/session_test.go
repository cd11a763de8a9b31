package oidc_test

import (
	"context"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/signin"
	"github.com/pgtasker/pgtasker/serve/oidc"
)

const asAnn = "person ann@corp.example (248)"

func TestSession_ActsAsThePersonInTheNamespacesOfTheMap(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.groups = []string{"staff", "shop-ops"}
	shop := s.query(t, "select task_uuid::text from tasker.create_task('shop', 'order', '{}')")
	bank := s.query(t, "select task_uuid::text from tasker.create_task('bank', 'loan', '{}')")
	b := s.browser()
	b.mustSignIn(t)
	list := b.get(t, "/ui/tasks")
	require.Contains(t, list.body, "ann@corp.example")
	require.Contains(t, list.body, shop)
	require.NotContains(t, list.body, bank)
	require.Equal(t, http.StatusForbidden, b.get(t, "/ui/tasks/"+bank).status)
	form := url.Values{"csrf": {b.csrf(t, "/ui/tasks/"+shop+"/cancel")}, "reason": {"enough"}}
	require.Equal(t, http.StatusSeeOther, b.send(t, http.MethodPost, "/ui/tasks/"+shop+"/cancel", form).status)
	require.Equal(t, asAnn, s.query(t, "select actor from tasker.get_task_history($1) where event = 'Cancel' and step_no is null", shop))
	require.Equal(t, "248 ann@corp.example", s.query(t, "select concat_ws(' ', l.becomes ->> 'subject', l.becomes ->> 'email') from tasker.list_administration(p_kind => 'access_sessions') as l"))
}

func TestSession_FollowsTheGroupsWithinTheRefresh(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.groups = []string{"shop-ops"}
	b := s.browser()
	b.mustSignIn(t)
	s.change(func() { s.groups = []string{"staff"} })
	require.Contains(t, b.get(t, "/ui/tasks").body, "tasker operator", "until the refresh is due")
	s.pass(t, 15*time.Minute)
	require.Contains(t, b.get(t, "/ui/tasks").body, "tasker reader")
	s.change(func() { s.groups = nil })
	s.pass(t, 15*time.Minute)
	out := b.get(t, "/ui/tasks")
	require.Equal(t, http.StatusForbidden, out.status)
	require.Contains(t, out.body, "You have no access to pgtasker.")
	s.change(func() { require.Equal(t, 2, s.refreshed) })

	// The provider ends the sign-in.
	s.change(func() { s.groups = []string{"staff"} })
	s.pass(t, 15*time.Minute)
	require.Equal(t, http.StatusOK, b.get(t, "/ui/tasks").status)
	s.change(func() { s.dropped = true })
	s.pass(t, 15*time.Minute)
	require.Equal(t, http.StatusUnauthorized, b.get(t, "/ui/tasks").status)
	require.Equal(t, "ended", s.query(t, "select status from tasker.list_sessions(true)"))
}

// A provider changes its keys while people are signed in: their sessions and new ones go on, and the key before is worth nothing.
func TestSession_GoesOnAfterTheProviderHasChangedItsKeys(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser()
	b.mustSignIn(t)
	call := func(token string) int {
		return s.browser().send(t, http.MethodGet, "/v1/tasks", nil, "Authorization", "Bearer "+token).status
	}
	before := s.key
	token := func(key any, id, person string) string {
		c := s.claims(audience)
		c["jti"], c["sub"] = id, person
		return signed(t, jose.RS256, key, id, c)
	}
	require.Equal(t, http.StatusOK, call(token(before, "k1", "program")))
	s.change(func() { require.Equal(t, 1, s.read, "the keys are read once") })

	next := newIdentity(t).key
	s.change(func() { s.key, s.keyID, s.groups = next, "k2", []string{"shop-ops"} })
	s.pass(t, 15*time.Minute)
	require.Contains(t, b.get(t, "/ui/tasks").body, "tasker operator", "the refresh is signed with the new key")
	s.change(func() { require.Equal(t, 2, s.read, "the keys are read again for a key that is not known") })
	late := s.browser()
	late.mustSignIn(t)
	require.Equal(t, http.StatusOK, call(token(next, "k2", "program")))
	require.Equal(t, http.StatusUnauthorized, call(token(before, "k1", "other")), "the key before is no longer the provider's")
	require.Equal(t, http.StatusUnauthorized, call(token(before, "k2", "other")), "nor is it under the new name")
}

func TestSession_WorksOnWhileTheProviderIsAway(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser()
	b.mustSignIn(t)
	s.change(func() { s.away = true })
	s.pass(t, 15*time.Minute)
	require.Equal(t, http.StatusOK, b.get(t, "/ui/tasks").status)
	require.Equal(t, http.StatusOK, b.get(t, "/ui/tasks").status)
	late := s.browser()
	require.Contains(t, s.signInPage(t, late), "Corp does not answer.")
	s.change(func() { s.away = false; s.groups = nil })
	s.pass(t, time.Minute)
	require.Equal(t, http.StatusForbidden, b.get(t, "/ui/tasks").status, "the refresh is made up for")
}

// signInPage follows a sign-in to the page that a person sees.
func (s *site) signInPage(t testing.TB, b *browser) string {
	t.Helper()
	to := b.get(t, "/ui/sign-in?next=%2Fui")
	if to.status == http.StatusSeeOther {
		to = b.get(t, s.grant(t, to.location))
	}
	return to.body
}

func TestSession_EndsByItselfAndByHand(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	for name, end := range map[string]func(b *browser){
		"idle":    func(*browser) { s.pass(t, 2*time.Hour) },
		"expired": func(*browser) { s.execute(t, "update tasker.access_sessions set ends_at = now()") },
		"ended":   func(*browser) { s.execute(t, "select tasker.end_sessions('ann@corp.example')") },
		"signed out": func(b *browser) {
			kept := b.cookies["pgtasker_person"]
			out := b.send(t, http.MethodPost, "/ui/logout", url.Values{"csrf": {b.csrf(t, "/ui/tasks")}})
			require.Equal(t, http.StatusOK, out.status)
			require.Contains(t, out.body, s.url+"/end?client_id=tasker&amp;id_token_hint=", "the browser signs out at the provider")
			require.NotContains(t, b.cookies, "pgtasker_person")
			b.cookies["pgtasker_person"] = kept
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := s.browser()
			b.mustSignIn(t)
			require.Equal(t, http.StatusOK, b.get(t, "/ui/tasks").status)
			end(b)
			a := b.get(t, "/ui/tasks")
			require.Equal(t, http.StatusUnauthorized, a.status)
			require.Contains(t, a.body, "Sign in with Corp")
		})
	}
}

func TestSession_OfAPersonWithoutAMapIsNone(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.groups = []string{"guests"}
	b := s.browser()
	a := b.signIn(t)
	require.Contains(t, a.body, "You have no access to pgtasker.")
	require.Contains(t, a.body, "You signed in as ann@corp.example (248)")
	b.requireOutside(t, a)
}

func TestSession_IsAskedAgainBeforeWhatCannotBeUndone(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.groups = []string{"shop-ops"}
	task := s.query(t, "select task_uuid::text from tasker.create_task('shop', 'order', '{}')")
	b := s.browser()
	b.mustSignIn(t)
	mass := "/ui/selection?action=cancel&task=" + task
	form := url.Values{"csrf": {b.csrf(t, mass)}, "reason": {"enough"}}
	s.execute(t, "update tasker.access_sessions set signed_in_at = now() - interval '16 minutes'")
	for _, a := range []screen{b.get(t, mass), b.send(t, http.MethodPost, mass, form)} {
		require.Equal(t, http.StatusPreconditionRequired, a.status, a.body)
		require.Contains(t, a.body, `href="/ui/sign-in?again=1&amp;next=`+url.QueryEscape(mass))
	}
	require.Equal(t, "false", s.query(t, "select complete::text from tasker.get_task($1)", task))
	require.Equal(t, http.StatusOK, b.get(t, "/ui/tasks/"+task+"/cancel").status, "one task is not many")

	// The provider knows the person still, but must ask.
	to := b.get(t, "/ui/sign-in?again=1&next="+url.QueryEscape(mass)).location
	asked, err := url.Parse(to)
	require.NoError(t, err)
	require.Equal(t, "login 0", asked.Query().Get("prompt")+" "+asked.Query().Get("max_age"))
	// A provider that does not ask for the password again does not make the sign-in recent.
	s.change(func() { s.forge = func(c map[string]any) { c["auth_time"] = time.Now().Add(-time.Hour).Unix() } })
	require.Equal(t, mass, b.get(t, s.grant(t, to)).location)
	require.Equal(t, http.StatusPreconditionRequired, b.get(t, mass).status)
	s.change(func() { s.forge = nil })
	require.Equal(t, mass, b.get(t, s.grant(t, b.get(t, "/ui/sign-in?again=1&next="+url.QueryEscape(mass)).location)).location)
	form.Set("csrf", b.csrf(t, mass))
	for _, field := range regexp.MustCompile(`name="(digest|entries|filters)" value="([^"]*)"`).FindAllStringSubmatch(b.get(t, mass).body, -1) {
		form.Set(field[1], html.UnescapeString(field[2]))
	}
	require.Equal(t, http.StatusSeeOther, b.send(t, http.MethodPost, mass, form).status)
	require.Equal(t, "1", s.query(t, "select last_done::text from tasker.run_maintenance('mass_actions')"))
	require.Equal(t, "true", s.query(t, "select complete::text from tasker.get_task($1)", task))
}

var forms = regexp.MustCompile(`(?s)<form method="post"(?: action="([^"]*)")?.*?</form>`)

// Every form of every page that a person sees is refused from another site, and those that do something without the page's token.
func TestForms_AreRefusedFromOtherSites(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.execute(t, "select tasker.map_access('groups', 'root', 'tasker_operator')")
	s.groups = []string{"root"}
	task := s.query(t, "select task_uuid::text from tasker.create_task('shop', 'order', '{}')")
	b := s.browser()
	b.mustSignIn(t)
	seen, queue, found := map[string]bool{}, []string{"/ui", "/ui/login"}, map[string]bool{}
	links := regexp.MustCompile(`href="(/ui[^"#]*)"`)
	for len(queue) > 0 && len(seen) < 200 {
		path := queue[0]
		queue = queue[1:]
		if seen[path] || strings.Contains(path, "/static/") || strings.HasPrefix(path, "/ui/sign-in") {
			continue
		}
		seen[path] = true
		body := b.get(t, path).body
		for _, m := range links.FindAllStringSubmatch(body, -1) {
			queue = append(queue, strings.ReplaceAll(m[1], "&amp;", "&"))
		}
		for _, m := range forms.FindAllStringSubmatch(body, -1) {
			action := m[1]
			if action == "" {
				action = path
			}
			found[action] = true
		}
	}
	for _, needed := range []string{"/ui/login", "/ui/logout", "/ui/theme", "/ui/tasks/" + task + "/cancel"} {
		require.Contains(t, found, needed)
	}
	require.Greater(t, len(found), 8)
	token := b.csrf(t, "/ui/tasks")
	before := s.query(t, "select coalesce(max(entry_no), 0)::text from tasker.administration_log")
	for action := range found {
		form := url.Values{"csrf": {token}, "reason": {"csrf"}, "results": {"{}"}, "value": {"1"}, "token": {"x"}}
		a := b.send(t, http.MethodPost, action, form, "Sec-Fetch-Site", "cross-site")
		require.Equal(t, http.StatusForbidden, a.status, action)
		a = b.send(t, http.MethodPost, action, form, "Sec-Fetch-Site", "", "Origin", "https://evil.example")
		require.Equal(t, http.StatusForbidden, a.status, action)
		if action == "/ui/login" || action == "/ui/theme" {
			continue // They change nothing of the database, and are refused from other sites.
		}
		form.Del("csrf")
		require.Equal(t, http.StatusForbidden, b.send(t, http.MethodPost, action, form).status, action)
		form.Set("csrf", "AAAA")
		require.Equal(t, http.StatusForbidden, b.send(t, http.MethodPost, action, form).status, action)
	}
	require.Equal(t, before, s.query(t, "select coalesce(max(entry_no), 0)::text from tasker.administration_log"))
	require.Equal(t, "false", s.query(t, "select complete::text from tasker.get_task($1)", task))
	require.Equal(t, http.StatusOK, b.get(t, "/ui/tasks").status, "the session lives")
}

func TestProvider_IsNotAskedBeforeItIsNeeded(t *testing.T) {
	t.Parallel()
	_, err := oidc.New(oidc.Config{Issuer: "http://id.corp.example", ClientID: "tasker"})
	require.ErrorContains(t, err, "no address with https")
	_, err = oidc.New(oidc.Config{Issuer: "https://id.corp.example"})
	require.ErrorContains(t, err, "client id")
	p, err := oidc.New(oidc.Config{Issuer: "http://127.0.0.1:1", ClientID: "tasker"})
	require.NoError(t, err)
	_, err = p.Begin(context.Background(), signin.Attempt{})
	require.ErrorIs(t, err, signin.ErrAway)
	require.Empty(t, p.End(context.Background(), nil, ""))
}
