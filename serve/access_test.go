package serve_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/bearer"
	"github.com/pgtasker/pgtasker/serve"
)

func TestServe_TellsNothingWithoutAToken(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	for _, path := range []string{"/healthz", "/readyz"} {
		require.Equal(t, http.StatusOK, s.send(t, "", "GET", path, "").status, path)
	}
	token := s.token(t, "reader", "reader", "*")
	other, _ := bearer.New()
	for _, path := range []string{"/v1/tasks", "/v1/openapi.json", "/v1/docs", "/v1/tasks/nonsense?x=%zz"} {
		for _, given := range []string{"", other, "tasker_", "x", token + "x", strings.ToUpper(token)} {
			a := s.send(t, given, "GET", path, "")
			require.Equal(t, "TK401", a.problem(t, http.StatusUnauthorized).Code, path)
			require.Contains(t, a.header.Get("WWW-Authenticate"), "Bearer")
		}
	}
	require.Equal(t, http.StatusOK, s.send(t, "", "GET", "/v1/docs", "", "Authorization", basic(token)).status, "a browser may show it as a password")
	s.send(t, "", "POST", "/v1/tasks", "{}", "Authorization", basic(token)).problem(t, http.StatusUnauthorized)
	s.send(t, "", "GET", "/nowhere", "").problem(t, http.StatusNotFound)
}

func basic(token string) string {
	r, _ := http.NewRequest(http.MethodGet, "/", nil) //nolint:noctx // It is not sent.
	r.SetBasicAuth("anyone", token)
	return r.Header.Get("Authorization")
}

func TestServe_RefusesARevokedTokenFromTheNextRequestOn(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	token := s.token(t, "bot", "reader", "*")
	require.Equal(t, http.StatusOK, s.send(t, token, "GET", "/v1/tasks", "").status)
	s.execute(t, "select tasker.revoke_token('bot')")
	p := s.send(t, token, "GET", "/v1/tasks", "").problem(t, http.StatusUnauthorized)
	require.Equal(t, `token "bot" has been revoked`, p.Detail)
}

func TestServe_KeepsATokenToItsNamespaces(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, shop)
	foreign := query[string](t, s, "select tasker_test.make_task_in('blocked_by_failures')::text")
	own := s.createTask(t, "own")
	token := s.token(t, "shopper", "operator", "shop")
	none := s.token(t, "none", "operator")

	s.send(t, token, "GET", "/v1/tasks/"+foreign, "").problem(t, http.StatusForbidden)
	s.send(t, token, "POST", "/v1/tasks/"+foreign+"/cancel", "").problem(t, http.StatusForbidden)
	s.send(t, token, "PUT", "/v1/settings/notify", `{"value": "off"}`).problem(t, http.StatusForbidden)
	var page struct{ Items []executor.TaskDetail }
	s.send(t, token, "GET", "/v1/tasks", "").into(t, http.StatusOK, &page)
	require.Len(t, page.Items, 1)
	require.Equal(t, own, page.Items[0].TaskUUID.String())

	s.send(t, none, "GET", "/v1/tasks/"+own, "").problem(t, http.StatusForbidden)
	s.send(t, none, "GET", "/v1/tasks", "").into(t, http.StatusOK, &page)
	require.Empty(t, page.Items)

	reader := s.token(t, "reader", "reader", "*")
	p := s.send(t, reader, "POST", "/v1/tasks/"+own+"/cancel", "").problem(t, http.StatusForbidden)
	require.Equal(t, "TK403", p.Code)
}

func TestServe_NamesTheTokenInHistoryAndAudit(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, shop)
	token := s.token(t, "ops", "operator", "*")
	task := s.createTask(t, "one")
	step := "/v1/tasks/" + task + "/workflow_steps/" + task[:32] + "0001"
	var done struct{ Changed bool }
	s.send(t, token, "POST", step+"/complete", `{"results": {"n": 1}, "reason": "by hand", "actor": "ann"}`).into(t, http.StatusOK, &done)
	require.True(t, done.Changed)

	var audit struct{ Items []gen.StepAudit }
	s.send(t, token, "GET", step+"/audit", "").into(t, http.StatusOK, &audit)
	require.Len(t, audit.Items, 1)
	require.Equal(t, "ann, token ops", *audit.Items[0].Actor)
	s.send(t, token, "POST", "/v1/tasks/"+task+"/cancel", "").into(t, http.StatusOK, &done)
	require.Equal(t, "token ops", query[string](t, s, "select actor from tasker.get_task_history($1) where event = 'Cancel' and step_no is null", task))
}

func TestServe_ReadOnlyIsEnforcedByTheDatabase(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{ReadOnly: true})
	s.execute(t, shop)
	task := s.createTask(t, "one")
	token := s.token(t, "ops", "operator", "*")
	const rows = "select tasker_test.row_hashes()::text"
	before := query[string](t, s, rows)
	for _, o := range documented(t) {
		if o.method == "GET" || o.id == "validateTemplate" || o.id == "testEvent" || o.id == "checkTemplateChange" || o.id == "previewSelection" {
			continue
		}
		path := strings.NewReplacer("{task_uuid}", task, "{step_uuid}", task[:32]+"0001", "{namespace}", "shop", "{setting}", "notify",
			"{name}", "order", "{version}", "0.1.0", "{dlq_entry_uuid}", task).Replace(o.path)
		a := s.send(t, token, o.method, path, callOf(t, o).body)
		require.NotEqual(t, http.StatusOK, a.status, o.id)
		if o.id == "cancelTask" || o.id == "setSetting" || o.id == "createTask" {
			require.Equal(t, "the server is read-only", a.problem(t, http.StatusForbidden).Detail, o.id)
		}
	}
	require.Equal(t, before, query[string](t, s, rows), "no table is changed")
	require.Equal(t, http.StatusOK, s.send(t, token, "GET", "/v1/tasks/"+task, "").status)
}

func TestServe_SlowsDownClientsThatGuessTokens(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	token := s.token(t, "reader", "reader", "*")
	late := s.token(t, "late", "reader", "*")
	require.Equal(t, http.StatusOK, s.send(t, token, "GET", "/v1/tasks", "").status)
	statuses := map[int]int{}
	for range 40 {
		guess, _ := bearer.New()
		a := s.send(t, guess, "GET", "/v1/tasks", "")
		statuses[a.status]++
		if a.status == http.StatusTooManyRequests {
			require.NotEmpty(t, a.header.Get("Retry-After"))
		}
	}
	require.GreaterOrEqual(t, statuses[http.StatusUnauthorized], 20)
	require.Positive(t, statuses[http.StatusTooManyRequests], statuses)
	require.Equal(t, http.StatusOK, s.send(t, token, "GET", "/v1/tasks", "").status, "a token that was accepted before still works")
	require.Equal(t, http.StatusOK, s.send(t, late, "GET", "/v1/tasks", "").status, "and so does a valid one that was never used")
	revoked := s.token(t, "revoked", "reader", "*")
	_, err := executor.New(s.admin).RevokeToken(t.Context(), "revoked")
	require.NoError(t, err)
	require.Equal(t, http.StatusUnauthorized, s.send(t, revoked, "GET", "/v1/tasks", "").status, "a token that ended is known")
}

func TestForwarded_BelievesProxiesOnly(t *testing.T) {
	t.Parallel()
	address := serve.Forwarded("X-Forwarded-For", []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")})
	for _, test := range []struct{ remote, header, want string }{
		{"192.0.2.1:5", "198.51.100.7", "192.0.2.1"},
		{"10.0.0.1:5", "", "10.0.0.1"},
		{"10.0.0.1:5", "198.51.100.7", "198.51.100.7"},
		{"10.0.0.1:5", "203.0.113.9, 198.51.100.7", "198.51.100.7"},
		{"10.0.0.1:5", "203.0.113.9, 198.51.100.7, 10.2.3.4", "198.51.100.7"},
		{"[fd00::1]:5", "2001:db8::7", "2001:db8::7"},
		{"10.0.0.1:5", "::ffff:198.51.100.7", "198.51.100.7"},
		{"10.0.0.1:5", "198.51.100.7, tasker_secret", "10.0.0.1"},
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		r.RemoteAddr = test.remote
		r.Header.Set("X-Forwarded-For", test.header)
		require.Equal(t, test.want, address(r), test)
	}
}

// Behind a proxy each client has a budget of its own.
func TestServe_CountsUnknownTokensByTheClientsAddress(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{ClientAddress: serve.Forwarded("X-Forwarded-For", []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")})})
	guess := func(from string) int {
		token, _ := bearer.New()
		return s.send(t, token, "GET", "/v1/tasks", "", "X-Forwarded-For", from).status
	}
	for range 30 {
		guess("198.51.100.7")
	}
	require.Equal(t, http.StatusTooManyRequests, guess("198.51.100.7"))
	require.Equal(t, http.StatusUnauthorized, guess("198.51.100.8"))
	s.log.says(t, "client=198.51.100.8")
}

func TestNew_RefusesALoginWithRightsOfItsOwn(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	var refused *serve.LoginError
	_, err := serve.New(t.Context(), s.admin, serve.Config{})
	require.ErrorAs(t, err, &refused)
	require.Contains(t, err.Error(), "is a superuser")

	var warned log
	_, err = serve.New(t.Context(), s.admin, serve.Config{Loopback: true, Logger: slog.New(slog.NewTextHandler(&warned, nil))})
	require.NoError(t, err)
	require.Contains(t, warned.String(), "level=WARN")

	s.execute(t, "alter role "+s.login+" inherit")
	if query[int](t, s, "select current_setting('server_version_num')::integer") >= 160000 {
		s.execute(t, "grant tasker_reader to "+s.login+" with inherit true")
	}
	_, err = serve.New(t.Context(), s.web, serve.Config{Loopback: true})
	require.ErrorAs(t, err, &refused)
	require.Contains(t, err.Error(), "without SET ROLE")
}

// An owner of the database that is no superuser may not become the role of the server, also on loopback.
func TestNew_NamesTheLoginToCreateToOneThatIsNoServer(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, "revoke tasker_server from "+s.login)
	_, err := serve.New(t.Context(), s.web, serve.Config{Loopback: true})
	var refused *serve.LoginError
	require.ErrorAs(t, err, &refused)
	require.Equal(t, "login \""+s.login+"\" is not a member of tasker_server", refused.Finding.Message)
	require.Contains(t, *refused.Finding.Hint, "create role tasker_web login noinherit; grant tasker_server, tasker_reader")
}

func TestNew_WarnsOfADatabaseOfAnotherBuild(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	require.NotContains(t, s.log.String(), "another build")
	s.execute(t, "update tasker.schema_builds set files = files || E'functions/more 0123456789abcdef\\n'")
	var warned log
	_, err := serve.New(t.Context(), s.web, serve.Config{Loopback: true, Logger: slog.New(slog.NewTextHandler(&warned, nil))})
	require.NoError(t, err)
	require.Contains(t, warned.String(), "the database was made by another build of pgtasker")
}

func TestServe_BigIntegersSurvive(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, shop)
	token := s.token(t, "ops", "operator", "*")
	const numbers = `{"a": 9223372036854775807, "b": 123456789012345678901234567890, "c": 1.10, "d": -0.000000000000000000001, "e": "<&>é"}`
	var made struct {
		UUID    string `json:"task_uuid"`
		Created bool
	}
	body := `{"namespace": "shop", "name": "order", "context": ` + numbers + `}`
	s.send(t, token, "POST", "/v1/tasks", body, "Idempotency-Key", "k").into(t, http.StatusOK, &made)
	require.True(t, made.Created)
	a := s.send(t, token, "GET", "/v1/tasks/"+made.UUID, "")
	for _, number := range []string{`"a":9223372036854775807`, `"b":123456789012345678901234567890`, `"c":1.10`, `"d":-0.000000000000000000001`, `"e":"<&>é"`} {
		require.Contains(t, string(a.body), number)
	}
	first := made.UUID
	s.send(t, token, "POST", "/v1/tasks", body, "Idempotency-Key", "k").into(t, http.StatusOK, &made)
	require.Equal(t, first, made.UUID)
	require.False(t, made.Created, "the same key finds the same task")
	s.send(t, token, "POST", "/v1/tasks", strings.Replace(body, "1.10", "2", 1), "Idempotency-Key", "k").problem(t, http.StatusConflict)
	s.send(t, token, "POST", "/v1/tasks", strings.Replace(body, "{", `{"identity_key": "other", `, 1), "Idempotency-Key", "k").problem(t, http.StatusUnprocessableEntity)
}

func TestServe_PagesWithCursors(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, shop)
	token := s.token(t, "reader", "reader", "shop")
	var want []string
	for _, key := range []string{"a", "b", "c", "d", "e"} {
		want = append([]string{s.createTask(t, key)}, want...)
	}
	var have []string
	cursor, pages := "", 0
	for {
		var page struct {
			Items      []executor.TaskDetail
			NextCursor *string `json:"next_cursor"`
		}
		s.send(t, token, "GET", "/v1/tasks?namespace=shop&limit=2&cursor="+cursor, "").into(t, http.StatusOK, &page)
		for _, task := range page.Items {
			have = append(have, task.TaskUUID.String())
		}
		if pages++; page.NextCursor == nil {
			break
		}
		cursor = *page.NextCursor
	}
	require.Equal(t, want, have)
	require.Equal(t, 3, pages)
	s.send(t, token, "GET", "/v1/tasks/"+want[0]+"/workflow_steps?cursor="+cursor, "").problem(t, http.StatusUnprocessableEntity)
}

func TestServe_WaitsForATaskWithoutAConnection(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, shop)
	token := s.token(t, "ops", "operator", "*")
	task := s.createTask(t, "one")
	began := time.Now()
	var detail executor.TaskDetail
	s.send(t, token, "GET", "/v1/tasks/"+task+"/wait?timeout_seconds=0", "").into(t, http.StatusOK, &detail)
	require.False(t, detail.Complete)
	require.Less(t, time.Since(began), 5*time.Second)
	began = time.Now()
	s.send(t, token, "GET", "/v1/tasks/"+task+"/wait?timeout_seconds=1", "").into(t, http.StatusOK, &detail)
	require.GreaterOrEqual(t, time.Since(began), time.Second, "a wait does not end early")

	// More waits than the pool has connections, and a request that gets through beside them.
	answers := make(chan answer, 12)
	for range cap(answers) {
		go func() {
			a, _ := s.try(t.Context(), token, "GET", "/v1/tasks/"+task+"/wait?timeout_seconds=60", "")
			answers <- a
		}()
	}
	s.send(t, token, "POST", "/v1/tasks/"+task+"/cancel", "").into(t, http.StatusOK, &struct{}{})
	for range cap(answers) {
		select {
		case a := <-answers:
			require.NoError(t, json.Unmarshal(a.body, &detail), string(a.body))
			require.True(t, detail.Complete)
		case <-time.After(within):
			require.Fail(t, "a wait has not ended")
		}
	}
}

// A program may serve on the pool of its worker: what a token was kept to ends with the request.
func TestServe_LeavesNoRestrictionInTheSession(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, "select tasker.register_namespace('shop')")
	none := s.token(t, "no-namespace", "reader")
	require.Equal(t, http.StatusOK, s.send(t, none, http.MethodGet, "/v1/tasks", "").status)
	refused := s.send(t, none, http.MethodGet, "/v1/tasks?namespace=shop", "")
	require.Equal(t, http.StatusForbidden, refused.status, "a token without namespaces sees nothing")

	for range 4 {
		conn, err := s.web.Acquire(t.Context())
		require.NoError(t, err)
		defer conn.Release()
		var bound []string
		tx, err := conn.Begin(t.Context())
		require.NoError(t, err)
		_, err = tx.Exec(t.Context(), "set local role tasker_reader")
		require.NoError(t, err)
		require.NoError(t, tx.QueryRow(t.Context(), "select tasker.bound_namespaces()").Scan(&bound))
		require.Nil(t, bound)
		require.NoError(t, tx.Rollback(t.Context()))
	}
}
