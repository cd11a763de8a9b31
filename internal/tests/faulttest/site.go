package faulttest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/faultproxy"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// within bounds each wait of the tests.
const within = 40 * time.Second

// site is a database, and a proxy in front of it through which clients connect as a login of their own.
type site struct {
	pool  *pgxpool.Pool // past the proxy
	proxy *faultproxy.DB
	login string
}

// rights are the roles of the clients' login.
var rights = []string{"tasker_worker", "tasklib_worker"}

func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{pool: pgtest.New(t)}
	s.proxy = faultproxy.Postgres(t, s.pool)
	s.login = faultproxy.Login(t, s.pool, rights...)
	return s
}

// connect returns a pool of a client through the proxy.
func (s *site) connect(t *testing.T, connections int32) *pgxpool.Pool {
	t.Helper()
	return s.proxy.PoolOf(t, s.login, func(c *pgxpool.Config) { c.MaxConns = connections })
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

// until polls a condition: neither the database nor a log has an event for it.
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

// fault is what the proxy does while jobs end.
type fault struct {
	name  string
	begin func(p *faultproxy.DB)
	// lasts says that calls fail until the proxy is healed, so that the logs say so.
	lasts bool
}

var faults = []fault{
	{name: "cut", begin: func(p *faultproxy.DB) { p.Cut() }},
	{name: "cut in a message", begin: func(p *faultproxy.DB) { p.CutAfter(40) }},
	{name: "half-close", begin: func(p *faultproxy.DB) { p.HalfClose() }},
	{name: "forget", begin: func(p *faultproxy.DB) { p.Forget() }},
	{name: "refuse", lasts: true, begin: func(p *faultproxy.DB) { p.Refuse(true); p.Cut() }},
	{name: "silence", lasts: true, begin: func(p *faultproxy.DB) { p.Silence(true) }},
	{name: "delay", begin: func(p *faultproxy.DB) { p.Delay(30 * time.Millisecond) }},
	{name: "throttle", begin: func(p *faultproxy.DB) { p.Throttle(50_000) }},
}

// mistake is what a DBA changes for the clients' login, and changes back.
type mistake struct {
	name       string
	make, mend func(t *testing.T, s *site)
	// words of the log that name what to mend.
	words string
}

var mistakes = []mistake{
	{
		name: "rights", words: "grant the login",
		make: func(t *testing.T, s *site) { s.grant(t, "revoke %s from %s") },
		mend: func(t *testing.T, s *site) { s.grant(t, "grant %s to %s") },
	},
	setting("default_transaction_isolation", "serializable", "read committed"),
	setting("default_transaction_read_only", "on", "default_transaction_read_only"),
	setting("statement_timeout", "1ms", "statement timeout"),
}

func (s *site) grant(t *testing.T, format string) {
	t.Helper()
	s.exec(t, fmt.Sprintf(format, strings.Join(rights, ", "), pgx.Identifier{s.login}.Sanitize()))
}

// setting returns the mistake of a parameter that is set for the login. Sessions that are open keep it as it was, so they end.
func setting(name, value, words string) mistake {
	alter := func(action string) func(t *testing.T, s *site) {
		return func(t *testing.T, s *site) {
			s.exec(t, fmt.Sprintf("alter role %s %s", pgx.Identifier{s.login}.Sanitize(), action))
			s.exec(t, "select pg_terminate_backend(a.pid) from pg_stat_activity as a where a.usename = $1", s.login)
		}
	}
	return mistake{
		name: name, words: words,
		make: alter(fmt.Sprintf("set %s = '%s'", name, value)), mend: alter("reset " + name),
	}
}

// newSiteProxy returns a second proxy to the same database, for clients that do not suffer.
func newSiteProxy(t *testing.T, s *site) *faultproxy.DB {
	t.Helper()
	return faultproxy.Postgres(t, s.pool)
}
