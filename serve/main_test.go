package serve_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/bearer"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/serve"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// site is a server with a separate database.
type site struct {
	admin  *pgxpool.Pool // As the superuser of the tests.
	web    *pgxpool.Pool // As the server's login.
	login  string
	url    string
	server *serve.Server
	log    *log
	http   *http.Client
}

// log keeps what a server has logged.
type log struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

func (l *log) Write(p []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.Write(p)
}

// says waits until the log contains all of these words. It must wait, because the server logs a request only after it has
// answered.
func (l *log) says(t testing.TB, words ...string) {
	t.Helper()
	for _, w := range words {
		require.Eventually(t, func() bool { return strings.Contains(l.String(), w) }, within, 2*time.Millisecond, "the log does not say %s", w)
	}
}

func (l *log) String() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.String()
}

const groups = "tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader"

// newSite returns a server whose login may become each of pgtasker's groups.
func newSite(t testing.TB, config serve.Config) *site {
	t.Helper()
	return newSiteOn(t, pgtest.New(t), config)
}

func newSiteOn(t testing.TB, admin *pgxpool.Pool, config serve.Config) *site {
	t.Helper()
	s := &site{admin: admin, login: fmt.Sprintf("serve_web_%x", rand.Uint64()), log: &log{}}
	s.execute(t, fmt.Sprintf("create role %s login noinherit; grant tasker_server, %s to %s", s.login, groups, s.login))
	t.Cleanup(func() {
		_, err := admin.Exec(context.Background(), "drop role "+s.login)
		require.NoError(t, err)
	})
	s.web = s.poolAs(t, s.login)
	if config.Logger == nil {
		config.Logger = slog.New(slog.NewTextHandler(s.log, nil))
	}
	handler, err := serve.New(t.Context(), s.web, config)
	require.NoError(t, err)
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	t.Cleanup(handler.Close)
	s.url, s.http, s.server = server.URL, server.Client(), handler
	return s
}

// poolAs returns a pool for the site's database with another login.
func (s *site) poolAs(t testing.TB, login string) *pgxpool.Pool {
	t.Helper()
	config := s.admin.Config().Copy()
	if config.ConnConfig.Password != "" {
		s.execute(t, fmt.Sprintf("alter role %s password '%s'", login, config.ConnConfig.Password))
	}
	config.ConnConfig.User, config.MaxConns = login, 4
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	return pool
}

func (s *site) execute(t testing.TB, sql string, args ...any) {
	t.Helper()
	_, err := s.admin.Exec(t.Context(), sql, args...)
	require.NoError(t, err)
}

// query runs a query that returns a single value.
func query[T any](t testing.TB, s *site, sql string, args ...any) (value T) {
	t.Helper()
	require.NoError(t, s.admin.QueryRow(t.Context(), sql, args...).Scan(&value))
	return value
}

// token makes a token of a group in these namespaces.
func (s *site) token(t testing.TB, name, group string, namespaces ...string) string {
	t.Helper()
	token, hash := bearer.New()
	if namespaces == nil {
		namespaces = []string{}
	}
	_, err := executor.New(s.admin).CreateToken(t.Context(), sqlfn.CreateTokenParams{
		Name: name, TokenHash: hash, RoleName: "tasker_" + group, Namespaces: namespaces,
	})
	require.NoError(t, err)
	return token
}

// answer is the response to a request.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// send sends a request with a token, and a body if it is not empty.
func (s *site) send(t testing.TB, token, method, path, body string, headers ...string) answer {
	t.Helper()
	a, err := s.try(t.Context(), token, method, path, body, headers...)
	require.NoError(t, err)
	return a
}

func (s *site) try(ctx context.Context, token, method, path, body string, headers ...string) (answer, error) {
	request, err := http.NewRequestWithContext(ctx, method, s.url+path, strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := s.http.Do(request)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, response.Header, text}, err
}

// into requires this status and decodes the body of the answer.
func (a answer) into(t testing.TB, status int, v any) {
	t.Helper()
	require.Equal(t, status, a.status, string(a.body))
	require.NoError(t, json.Unmarshal(a.body, v), string(a.body))
}

// problem requires that the answer is a problem with this status, and decodes it.
func (a answer) problem(t testing.TB, status int) (p serve.Problem) {
	t.Helper()
	a.into(t, status, &p)
	require.Equal(t, "application/problem+json", a.header.Get("Content-Type"))
	require.Equal(t, status, p.Status)
	require.Equal(t, a.header.Get("X-Request-Id"), p.RequestID)
	require.NotEmpty(t, p.Detail)
	return p
}

const shop = `select tasker.register_task_template('{"namespace": "shop", "name": "order", "identity_strategy": "caller_provided",
	"steps": [{"name": "a"}, {"name": "b", "dependencies": ["a"]}]}')`

// createTask makes a task of shop/order and returns its UUID.
func (s *site) createTask(t testing.TB, key string) string {
	t.Helper()
	return query[string](t, s, "select task_uuid::text from tasker.create_task('shop', 'order', '{}', p_identity_key => $1)", key)
}

const within = 40 * time.Second
