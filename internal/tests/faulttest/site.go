package faulttest

import (
	"fmt"
	"log/slog"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/bearer"
	"github.com/pgtasker/pgtasker/internal/faultproxy"
	"github.com/pgtasker/pgtasker/internal/listen"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/serve"
)

// within bounds each wait of the tests.
const within = 40 * time.Second

// site is a database, and a proxy in front of it through which clients connect as a login of their own.
type site struct {
	pool   *pgxpool.Pool // connects without the proxy
	proxy  *faultproxy.DB
	logins map[string][]string // with their roles, the clients' login first
	login  string

	// network is the proxy between clients over HTTP and their server, which itself reaches the database through the other
	// proxy. network is nil before the first of these clients.
	network *faultproxy.Proxy
	token   string
}

func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{pool: pgtest.New(t)}
	s.proxy = faultproxy.Postgres(t, s.pool)
	roles := []string{"tasker_worker", "tasker_orchestrator", "tasklib_worker"}
	s.login = faultproxy.Login(t, s.pool, roles...)
	s.logins = map[string][]string{s.login: roles}
	return s
}

// connect returns a pool of a client through the proxy, with the bounds that docs/production.md recommends. Only the time-out
// for connecting is shorter.
func (s *site) connect(t *testing.T, connections int32) *pgxpool.Pool {
	t.Helper()
	return s.proxy.PoolOf(t, s.login, alive, func(c *pgxpool.Config) { c.MaxConns = connections })
}

func alive(c *pgxpool.Config) {
	c.ConnConfig.ConnectTimeout = 3 * time.Second
	listen.KeepAlive(c)
}

// serve starts a REST server whose pool leads through the proxy. Clients reach it through a proxy of their own.
func (s *site) serve(t *testing.T) {
	t.Helper()
	if s.network != nil {
		return
	}
	roles := []string{"tasker_server", "tasker_worker"}
	login := faultproxy.ServerLogin(t, s.pool, roles...)
	s.logins[login] = roles
	token, hash := bearer.New()
	_, err := executor.New(s.pool).CreateToken(t.Context(), sqlfn.CreateTokenParams{
		Name: "faults", TokenHash: hash, RoleName: "tasker_worker", Namespaces: []string{"*"},
	})
	require.NoError(t, err)
	handler, err := serve.New(t.Context(), s.proxy.PoolOf(t, login, alive), serve.Config{
		Timeout: 3 * time.Second, Logger: s.logger(t), NoMaintenance: true,
	})
	require.NoError(t, err)
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	t.Cleanup(handler.Close)
	address, err := url.Parse(server.URL)
	require.NoError(t, err)
	s.network, s.token = faultproxy.New(t, "tcp", address.Host), token
}

// each calls do with every proxy.
func (s *site) each(do func(p *faultproxy.Proxy)) {
	do(s.proxy.Proxy)
	if s.network != nil {
		do(s.network)
	}
}

func (s *site) exec(t *testing.T, sql string, args ...any) {
	t.Helper()
	_, err := s.pool.Exec(t.Context(), sql, args...)
	require.NoError(t, err, sql)
}

func query[T any](t *testing.T, s *site, sql string, args ...any) (value T) {
	t.Helper()
	require.NoError(t, s.pool.QueryRow(t.Context(), sql, args...).Scan(&value), sql)
	return value
}

// until polls a condition, since neither the database nor a log has an event for it.
func until(t *testing.T, what string, holds func() bool, why func() string) {
	t.Helper()
	late := time.After(within)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-tick.C:
		case <-late:
			require.FailNow(t, "waited in vain: "+what, why())
		}
	}
}

// fault is the fault of the proxies while jobs end.
type fault struct {
	name  string
	begin func(p *faultproxy.Proxy)
	// lasts says that calls fail until the proxy is healed.
	lasts bool
}

var (
	refuse  = fault{name: "refuse", lasts: true, begin: func(p *faultproxy.Proxy) { p.Refuse(true); p.Cut() }}
	silence = fault{name: "silence", lasts: true, begin: func(p *faultproxy.Proxy) { p.Silence(true) }}
	// lost are the faults of connections, and silence is the fault of the server. A client notices silence, and forgotten connections, only
	// when its calls have waited long enough. So silence has a test of its own, which waits at the same time.
	lost = []fault{
		refuse,
		{name: "cut", begin: func(p *faultproxy.Proxy) { p.Cut() }},
		{name: "cut in a message", begin: func(p *faultproxy.Proxy) { p.CutAfter(40) }},
		{name: "half-close", begin: func(p *faultproxy.Proxy) { p.HalfClose() }},
		{name: "delay", begin: func(p *faultproxy.Proxy) { p.Delay(30 * time.Millisecond) }},
		{name: "throttle", begin: func(p *faultproxy.Proxy) { p.Throttle(50_000) }},
		{name: "forget", begin: func(p *faultproxy.Proxy) { p.Forget() }},
	}
)

// mistake is a change that a DBA makes to the logins and undoes later.
type mistake struct {
	name       string
	make, mend func(t *testing.T, s *site)
}

var mistakes = []mistake{
	{
		name: "rights",
		make: func(t *testing.T, s *site) { s.grant(t, "revoke %s from %s") },
		mend: func(t *testing.T, s *site) { s.grant(t, "grant %s to %s") },
	},
	setting("default_transaction_isolation", "serializable"),
	setting("default_transaction_read_only", "on"),
	setting("statement_timeout", "1ms"),
	{
		name: "token",
		make: func(t *testing.T, s *site) {
			s.exec(t, "update tasker.access_tokens set revoked_at = now(), revoked_by = 'dba' where name = 'faults'")
		},
		mend: func(t *testing.T, s *site) {
			s.exec(t, "update tasker.access_tokens set revoked_at = null, revoked_by = null where name = 'faults'")
		},
	},
}

func (s *site) grant(t *testing.T, format string) {
	t.Helper()
	for login, roles := range s.logins {
		s.exec(t, fmt.Sprintf(format, strings.Join(roles, ", "), pgx.Identifier{login}.Sanitize()))
	}
}

// setting returns a mistake that sets a parameter for the logins. Open sessions keep the old value, so they are ended.
func setting(name, value string) mistake {
	alter := func(action string) func(t *testing.T, s *site) {
		return func(t *testing.T, s *site) {
			for login := range s.logins {
				s.exec(t, fmt.Sprintf("alter role %s %s", pgx.Identifier{login}.Sanitize(), action))
				s.exec(t, "select pg_terminate_backend(a.pid) from pg_stat_activity as a where a.usename = $1", login)
			}
		}
	}
	return mistake{name: name, make: alter(fmt.Sprintf("set %s = '%s'", name, value)), mend: alter("reset " + name)}
}

// logger returns a logger of the server whose warnings a failed test shows.
func (s *site) logger(t *testing.T) *slog.Logger {
	t.Helper()
	log := newJobs("serve")
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("serve said:\n%s", log.Log())
		}
	})
	return slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelWarn}))
}
