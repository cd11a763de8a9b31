package oidc_test

import (
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"
)

// requireOutside fails the test if an answer let the browser in.
func (b *browser) requireOutside(t testing.TB, a screen) {
	t.Helper()
	require.Contains(t, []int{http.StatusForbidden, http.StatusServiceUnavailable}, a.status, a.body)
	require.NotContains(t, b.cookies, "pgtasker_person")
	require.Equal(t, "0", b.site.query(t, "select count(*)::text from tasker.list_sessions(true)"))
	require.Equal(t, http.StatusSeeOther, b.get(t, "/ui/tasks").status, "the page asks for a login")
}

func TestSignIn_RefusesForgedIDTokens(t *testing.T) {
	t.Parallel()
	other := newIdentity(t)
	for name, forge := range map[string]func(s *site){
		"nonce":    func(s *site) { s.forge = func(c map[string]any) { c["nonce"] = "another" } },
		"no nonce": func(s *site) { s.forge = func(c map[string]any) { delete(c, "nonce") } },
		"issuer":   func(s *site) { s.forge = func(c map[string]any) { c["iss"] = "https://evil.example" } },
		"audience": func(s *site) { s.forge = func(c map[string]any) { c["aud"] = "another-client" } },
		"party": func(s *site) {
			s.forge = func(c map[string]any) { c["aud"], c["azp"] = []string{clientID, "another"}, "another" }
		},
		"none": func(s *site) { s.sign = unsigned },
		"HS256": func(s *site) {
			key := s.publicPEM(t)
			s.sign = func(c map[string]any) string { return signed(t, jose.HS256, key, "k1", c) }
		},
		"key": func(s *site) {
			s.sign = func(c map[string]any) string { return signed(t, jose.RS256, other.key, "k1", c) }
		},
		"no kid": func(s *site) {
			s.sign = func(c map[string]any) string { return signed(t, jose.RS256, other.key, "", c) }
		},
		"expired":               func(s *site) { s.forge = func(c map[string]any) { c["exp"] = time.Now().Add(-time.Minute).Unix() } },
		"not yet":               func(s *site) { s.forge = func(c map[string]any) { c["nbf"] = time.Now().Add(time.Hour).Unix() } },
		"future":                func(s *site) { s.forge = func(c map[string]any) { c["iat"] = time.Now().Add(time.Hour).Unix() } },
		"logout":                func(s *site) { s.forge = func(c map[string]any) { c["events"] = map[string]any{} } },
		"no sub":                func(s *site) { s.forge = func(c map[string]any) { delete(c, "sub") } },
		"someone else's claims": func(s *site) { s.info = map[string]any{"sub": "other"} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			s.change(func() { forge(s) })
			b := s.browser()
			b.requireOutside(t, b.signIn(t))
			s.change(func() {
				s.forge, s.info = nil, nil
				s.sign = func(c map[string]any) string { return signed(t, jose.RS256, s.key, "k1", c) }
			})
			b.mustSignIn(t) // The same browser gets in with an honest token: only the forgery kept it out.
		})
	}
}

func TestSignIn_RefusesForgedState(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	victim, attacker := s.browser(), s.browser()
	back := s.grant(t, attacker.begin(t, "/ui"))
	victim.requireOutside(t, victim.get(t, back)) // It has begun nothing.
	victim.begin(t, "/ui")
	victim.requireOutside(t, victim.get(t, back)) // It has begun another one.

	mine, err := url.Parse(s.grant(t, victim.begin(t, "/ui")))
	require.NoError(t, err)
	query := mine.Query()
	state := query.Get("state")
	for _, forged := range []string{"", state[:12], state[:len(state)-1] + "_", state[:12] + strings.Repeat("A", len(state)-12)} {
		query.Set("state", forged)
		again := s.browser()
		for name, value := range victim.cookies {
			again.cookies[name] = value
		}
		again.requireOutside(t, again.get(t, mine.Path+"?"+query.Encode()))
	}
	query["state"] = []string{state, "two"}
	again := s.browser()
	again.cookies = victim.cookies
	again.requireOutside(t, again.get(t, mine.Path+"?"+query.Encode()))
}

func TestSignIn_RefusesAnAnswerOfAnotherProvider(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser()
	back := s.grant(t, b.begin(t, "/ui"))
	b.requireOutside(t, b.get(t, strings.Replace(back, url.QueryEscape(s.url), url.QueryEscape("https://evil.example"), 1)))
}

func TestSignIn_RefusesAReplayedCode(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser()
	to := b.begin(t, "/ui")
	kept := map[string]string{}
	for name, value := range b.cookies {
		kept[name] = value
	}
	back := s.grant(t, to)
	require.Equal(t, http.StatusSeeOther, b.get(t, back).status)
	require.Equal(t, http.StatusForbidden, b.get(t, back).status, "the browser has used its attempt")

	// With the cookie of the attempt, at a provider that redeems a code twice.
	thief := s.browser()
	maps.Copy(thief.cookies, kept)
	require.Equal(t, http.StatusForbidden, thief.get(t, back).status, "the provider has used the code")
	asked, err := url.Parse(to)
	require.NoError(t, err)
	answer, err := url.Parse(back)
	require.NoError(t, err)
	s.change(func() { s.codes[answer.Query().Get("code")] = asked.Query() })
	maps.Copy(thief.cookies, kept)
	require.Equal(t, http.StatusConflict, thief.get(t, back).status, "the database has used the attempt")
	require.NotContains(t, thief.cookies, "pgtasker_person")
	require.Equal(t, "1", s.query(t, "select count(*)::text from tasker.list_sessions(true)"))
}

func TestSignIn_RefusesAStolenCode(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	for _, nonce := range []bool{true, false} {
		victim, thief := s.browser(), s.browser()
		code, err := url.Parse(s.grant(t, victim.begin(t, "/ui")))
		require.NoError(t, err)
		begun := thief.begin(t, "/ui")
		own, err := url.Parse(s.grant(t, begun))
		require.NoError(t, err)
		asked, err := url.Parse(begun)
		require.NoError(t, err)
		s.change(func() {
			s.forge = func(c map[string]any) {
				if !nonce {
					c["nonce"] = asked.Query().Get("nonce") // Then PKCE alone keeps the thief out: the verifier is the victim's.
				}
			}
		})
		query := own.Query()
		query.Set("code", code.Query().Get("code"))
		thief.requireOutside(t, thief.get(t, own.Path+"?"+query.Encode()))
	}
}

func TestSignIn_LeadsToNoOtherSite(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	for _, next := range []string{
		"https://evil.example/", "//evil.example/", "/\\evil.example", "/ui\\..\\..", "javascript:alert(1)", "/uiX", "/v1/tasks", "\n/ui", "/ui/\r\nLocation: https://evil.example",
		"https://evil.example/ui", "//evil.example/ui/", " /ui", "/ui/../../evil",
	} {
		b := s.browser()
		back := b.get(t, s.grant(t, b.begin(t, next)))
		require.Equal(t, http.StatusSeeOther, back.status, next)
		to, err := url.Parse(back.location)
		require.NoError(t, err, next)
		require.Empty(t, to.Host, "%q leads to %q", next, back.location)
		require.Empty(t, to.Scheme, next)
		require.Regexp(t, `^/`, back.location, next)
		require.NotRegexp(t, `^/[/\\]`, back.location, next)
	}
	// The same in the cookie, which a browser could be made to hold.
	b := s.browser()
	grant := s.grant(t, b.begin(t, "/ui"))
	for name, value := range b.cookies {
		if strings.HasPrefix(name, "pgtasker_sign_in_") {
			random, _, _ := strings.Cut(value, ".")
			b.cookies[name] = random + ".aHR0cHM6Ly9ldmlsLmV4YW1wbGU"
		}
	}
	require.Equal(t, "/ui", b.get(t, grant).location)
}

func TestSignIn_FixesNoSession(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	attacker, victim := s.browser(), s.browser()
	attacker.mustSignIn(t)
	planted := attacker.cookies["pgtasker_person"]
	victim.cookies["pgtasker_person"] = planted
	victim.cookies["pgtasker_session"] = "tasker_planted"
	victim.mustSignIn(t)
	require.NotEqual(t, planted, victim.cookies["pgtasker_person"], "a sign-in makes a secret of its own")
	require.NotContains(t, victim.cookies, "pgtasker_session")
	require.Equal(t, http.StatusUnauthorized, attacker.get(t, "/ui/tasks").status, "the planted session is over")
	require.Equal(t, http.StatusOK, victim.get(t, "/ui/tasks").status)

	// A secret that the server has not made is no session.
	invented := s.browser()
	invented.cookies["pgtasker_person"] = "tasker_session_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
	require.Equal(t, http.StatusUnauthorized, invented.get(t, "/ui/tasks").status)
}

func TestCookies_AreKeptFromScriptsAndOtherSites(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser()
	back := b.signIn(t)
	for _, c := range back.cookies {
		require.True(t, c.HttpOnly, c.Name)
		require.Contains(t, []http.SameSite{http.SameSiteLaxMode, http.SameSiteStrictMode}, c.SameSite, c.Name)
	}
	secret := b.cookies["pgtasker_person"]
	require.NotEmpty(t, secret)
	stored := s.query(t, "select to_jsonb(s)::text || encode(s.sealed, 'escape') from tasker.access_sessions as s")
	require.NotContains(t, stored, secret)
	require.NotContains(t, stored, "refresh_token")
	require.NotContains(t, stored, "eyJ", "no token of the provider is stored in the clear")
}

// Over TLS the names of cookies begin with __Host-, so that no other host of the domain can set one, and browsers send them by TLS only.
func TestCookies_AreOfThisHostAloneOverTLS(t *testing.T) {
	t.Parallel()
	for _, secure := range []bool{true, false} {
		s := newSiteOver(t, secure)
		prefix := ""
		if secure {
			prefix = "__Host-"
		}
		b := s.browser()
		begun := b.get(t, "/ui/sign-in?next=%2Fui%2Ftasks")
		back := b.get(t, s.grant(t, begun.location))
		require.Equal(t, "/ui/tasks", back.location, back.body)
		set := map[string]bool{}
		for _, c := range append(begun.cookies, back.cookies...) {
			if strings.Contains(c.Name, "pgtasker_sign_in_") || strings.Contains(c.Name, "pgtasker_person") {
				require.True(t, strings.HasPrefix(c.Name, prefix+"pgtasker_"), c.Name)
				require.Equal(t, secure, c.Secure, c.Name)
				require.Equal(t, "/", c.Path, c.Name)
				require.Empty(t, c.Domain, c.Name)
				set[strings.TrimPrefix(c.Name, prefix)[:len("pgtasker_person")]] = true
			}
		}
		require.Equal(t, map[string]bool{"pgtasker_person": true, "pgtasker_sign_in_"[:len("pgtasker_person")]: true}, set)
		require.Equal(t, http.StatusOK, b.get(t, "/ui/tasks").status)
		// Another host of the domain could set the plain name: it does not count over TLS.
		planted := s.browser()
		planted.cookies["pgtasker_person"] = b.cookies[prefix+"pgtasker_person"]
		require.Equal(t, !secure, planted.get(t, "/ui/tasks").status == http.StatusOK)
	}
}

func TestREST_RefusesForgedTokens(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	other := newIdentity(t)
	call := func(token string) screen {
		b := s.browser()
		return b.send(t, http.MethodGet, "/v1/tasks", nil, "Authorization", "Bearer "+token)
	}
	with := func(change func(c map[string]any)) string {
		c := s.claims(audience)
		change(c)
		return signed(t, jose.RS256, s.key, "k1", c)
	}
	good := with(func(map[string]any) {})
	require.Equal(t, http.StatusOK, call(good).status)
	parts := strings.Split(good, ".")
	for name, token := range map[string]string{
		"issuer":    with(func(c map[string]any) { c["iss"] = "https://evil.example" }),
		"audience":  with(func(c map[string]any) { c["aud"] = clientID }),
		"expired":   with(func(c map[string]any) { c["exp"] = time.Now().Add(-time.Minute).Unix() }),
		"not yet":   with(func(c map[string]any) { c["nbf"] = time.Now().Add(time.Hour).Unix() }),
		"old":       with(func(c map[string]any) { c["iat"] = time.Now().Add(-16 * time.Minute).Unix() }),
		"none":      unsigned(s.claims(audience)),
		"HS256":     signed(t, jose.HS256, s.publicPEM(t), "k1", s.claims(audience)),
		"key":       signed(t, jose.RS256, other.key, "k1", s.claims(audience)),
		"payload":   parts[0] + "." + strings.Split(with(func(c map[string]any) { c["sub"] = "another" }), ".")[1] + "." + parts[2],
		"signature": parts[0] + "." + parts[1] + ".",
	} {
		a := call(token)
		require.Equal(t, http.StatusUnauthorized, a.status, "%s: %s", name, a.body)
	}
	s.change(func() { s.groups = []string{"guests"} })
	require.Equal(t, http.StatusForbidden, call(with(func(c map[string]any) { c["jti"] = "2" })).status, "without a map there is no access")
	require.Equal(t, http.StatusOK, call(good).status)
	s.execute(t, "select tasker.end_session(s.session_uuid) from tasker.list_sessions() as s")
	require.Equal(t, http.StatusUnauthorized, call(good).status, "an ended token stays ended")
}
