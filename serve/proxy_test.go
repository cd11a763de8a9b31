package serve_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/serve"
)

const shared = "0123456789abcdef0123456789abcdef"

func newProxied(t testing.TB) *site {
	t.Helper()
	s := newSite(t, serve.Config{Proxy: &serve.Proxy{
		UserHeader: "X-Forwarded-User", EmailHeader: "X-Forwarded-Email", GroupsHeader: "X-Forwarded-Groups", TimeHeader: "X-Auth-Time", Secret: shared,
	}})
	s.execute(t, shop)
	s.execute(t, "select tasker.map_access('groups', 'ops', 'tasker_operator', '{shop}')")
	return s
}

func TestProxy_NamesThePerson(t *testing.T) {
	t.Parallel()
	s := newProxied(t)
	task := s.createTask(t, "1")
	from := []string{"Tasker-Proxy-Secret", shared, "X-Forwarded-User", "ann", "X-Forwarded-Email", "ann@corp.example", "X-Forwarded-Groups", "staff, ops"}
	s.send(t, "", http.MethodPost, "/v1/tasks/"+task+"/cancel", `{"reason": "enough"}`, from...).into(t, http.StatusOK, &struct{}{})
	require.Equal(t, "person ann@corp.example (ann)", query[string](t, s, "select actor from tasker.get_task_history($1) where event = 'Cancel' and step_no is null", task))

	b := s.browser()
	page := b.send(t, http.MethodGet, "/ui/tasks", nil, from...)
	require.Equal(t, http.StatusOK, page.status)
	require.Contains(t, page.body, "ann@corp.example (ann)")
	require.NotContains(t, page.body, `action="/ui/logout"`, "the proxy signs people out")
	other := s.createTask(t, "2")
	ask := b.send(t, http.MethodGet, "/ui/tasks/"+other+"/cancel", nil, from...)
	_, rest, found := strings.Cut(ask.body, `name="csrf" value="`)
	require.True(t, found)
	csrf, _, _ := strings.Cut(rest, `"`)
	act := func(csrf string, headers ...string) screen {
		return b.send(t, http.MethodPost, "/ui/tasks/"+other+"/cancel", url.Values{"csrf": {csrf}, "reason": {"why"}}, append(headers, from...)...)
	}
	require.Equal(t, http.StatusForbidden, act("AAAA").status)
	require.Equal(t, http.StatusForbidden, act(csrf, "Sec-Fetch-Site", "cross-site").status)
	require.Equal(t, http.StatusSeeOther, act(csrf).status)

	// This proxy should send the time of the sign-in. Without that time the person has to sign in again.
	require.Equal(t, "TK428", s.send(t, "", http.MethodPost, "/v1/tasks/reset", `{"reason": "why", "namespace": "shop"}`, from...).problem(t, http.StatusPreconditionRequired).Code)
	// The server refuses a request that another site causes, even with the proxy's headers. A token works as before.
	require.Contains(t, s.send(t, "", http.MethodPost, "/v1/tasks/"+task+"/cancel", `{"reason": "x"}`, append(from, "Sec-Fetch-Site", "cross-site")...).problem(t, http.StatusForbidden).Detail, "another site")
	require.Equal(t, http.StatusOK, s.send(t, s.token(t, "bot", "reader", "*"), http.MethodGet, "/v1/tasks", "").status)
}

func TestProxy_IsTheOnlyOneThatNamesAPerson(t *testing.T) {
	t.Parallel()
	s := newProxied(t)
	token := s.token(t, "bot", "reader", "*")
	for name, headers := range map[string][]string{
		"no secret":       {"X-Forwarded-User", "ann", "X-Forwarded-Groups", "ops"},
		"wrong secret":    {"X-Forwarded-User", "ann", "X-Forwarded-Groups", "ops", "Tasker-Proxy-Secret", shared[1:] + "0"},
		"empty secret":    {"X-Forwarded-User", "ann", "X-Forwarded-Groups", "ops", "Tasker-Proxy-Secret", ""},
		"groups alone":    {"X-Forwarded-Groups", "ops", "Tasker-Proxy-Secret", shared},
		"empty user":      {"X-Forwarded-User", "", "X-Forwarded-Groups", "ops", "Tasker-Proxy-Secret", shared},
		"underscore":      {"X-Forwarded-User", "ann", "X_forwarded_groups", "ops", "Tasker-Proxy-Secret", shared},
		"only underscore": {"X_forwarded_user", "ann", "Tasker-Proxy-Secret", shared},
		"mixed":           {"X-Forwarded_user", "root", "X-Forwarded-User", "ann", "Tasker-Proxy-Secret", shared},
	} {
		for _, path := range []string{"/v1/tasks", "/ui/tasks"} {
			for _, credential := range []string{"", token} {
				a := s.send(t, credential, http.MethodGet, path, "", headers...)
				require.Equal(t, http.StatusForbidden, a.status, "%s %s: %s", name, path, a.body)
			}
		}
	}
	// Send two values: a proxy that appends its value to a client's value would send both.
	for _, twice := range []string{"X-Forwarded-User", "X-Forwarded-Groups", "Tasker-Proxy-Secret"} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+"/v1/tasks", nil)
		require.NoError(t, err)
		for header, value := range map[string]string{"X-Forwarded-User": "ann", "X-Forwarded-Groups": "ops", "Tasker-Proxy-Secret": shared} {
			r.Header.Set(header, value)
		}
		r.Header.Add(twice, "other")
		response, err := s.http.Do(r)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Equal(t, http.StatusForbidden, response.StatusCode, twice)
	}
	// A server that trusts no proxy ignores the headers.
	plain := newSite(t, serve.Config{})
	require.Equal(t, http.StatusUnauthorized, plain.send(t, "", http.MethodGet, "/v1/tasks", "", "X-Forwarded-User", "ann", "Tasker-Proxy-Secret", shared).status)
}

func TestProxy_MustBeTrustedBySomething(t *testing.T) {
	t.Parallel()
	for _, p := range []serve.Proxy{{Secret: shared}, {UserHeader: "X-User"}, {UserHeader: "X-User", Secret: "short"}} {
		_, err := serve.New(t.Context(), nil, serve.Config{Proxy: &p})
		require.ErrorContains(t, err, "serve: ")
		require.ErrorAs(t, err, new(*serve.ConfigError))
	}
}
