package faultproxy

import (
	"context"
	"fmt"
	"net/url"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// DB is a proxy in front of the server of a test's database.
type DB struct {
	*Proxy
	config *pgxpool.Config
}

// Postgres returns a proxy in front of the server that pool leads to. Faults reach only connections that are made
// through the proxy.
func Postgres(t testing.TB, pool *pgxpool.Pool) *DB {
	t.Helper()
	config := pool.Config()
	network, address := pgconn.NetworkAddress(config.ConnConfig.Host, config.ConnConfig.Port)
	return &DB{New(t, network, address), config}
}

// URL returns the address of the database behind the proxy for a login, without TLS.
func (d *DB) URL(login string) string {
	at := url.URL{Scheme: "postgres", User: url.User(login), Host: d.Addr(), Path: "/" + d.config.ConnConfig.Database}
	if login == d.config.ConnConfig.User && d.config.ConnConfig.Password != "" {
		at.User = url.UserPassword(login, d.config.ConnConfig.Password)
	}
	return at.String() + "?sslmode=disable"
}

// Pool returns a pool that connects through the proxy, with the login of the test's own pool. Each `change` may alter the
// pool's configuration. The pool is closed when the test ends.
func (d *DB) Pool(t testing.TB, change ...func(*pgxpool.Config)) *pgxpool.Pool {
	t.Helper()
	return d.PoolOf(t, d.config.ConnConfig.User, change...)
}

// PoolOf is [DB.Pool] with another login.
func (d *DB) PoolOf(t testing.TB, login string, change ...func(*pgxpool.Config)) *pgxpool.Pool {
	t.Helper()
	config, err := pgxpool.ParseConfig(d.URL(login))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range change {
		c(config)
	}
	pool, err := pgxpool.NewWithConfig(context.WithoutCancel(t.Context()), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Cut(); pool.Close() })
	return pool
}

// Login creates a login role that is a member of roles, and drops it when the test ends. Its name is unique in the server.
func Login(t testing.TB, pool *pgxpool.Pool, roles ...string) string {
	t.Helper()
	return login(t, pool, "login_", "", roles)
}

// ServerLogin is Login for a REST server, which has the rights of its roles only after SET ROLE.
func ServerLogin(t testing.TB, pool *pgxpool.Pool, roles ...string) string {
	t.Helper()
	return login(t, pool, "server_", " noinherit", roles)
}

// LeaveOneBesides limits a login to one connection, which a listener holds. `pool` is a pool of the same login with a single
// connection. The pool loses its connection, and cannot connect again while the listener keeps its own. `admin` is the test's
// own pool.
func LeaveOneBesides(t testing.TB, admin, pool *pgxpool.Pool, login string) {
	t.Helper()
	late := time.After(time.Minute)
	for sessions := 0; sessions != 2; {
		select {
		case <-late:
			t.Fatalf("the login has %d sessions, not one beside the pool's", sessions)
		case <-time.After(5 * time.Millisecond):
		}
		const count = "select count(*)::integer from pg_stat_activity as a where a.usename = $1"
		if err := admin.QueryRow(t.Context(), count, login).Scan(&sessions); err != nil {
			t.Fatal(err)
		}
	}
	conn, err := pool.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()
	if _, err := admin.Exec(t.Context(), "alter role "+pgx.Identifier{login}.Sanitize()+" connection limit 1"); err != nil {
		t.Fatal(err)
	}
	if err := conn.Conn().Close(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func login(t testing.TB, pool *pgxpool.Pool, prefix, attributes string, roles []string) string {
	t.Helper()
	name := prefix + pool.Config().ConnConfig.Database
	quoted := pgx.Identifier{name}.Sanitize()
	exec := func(sql string) {
		if _, err := pool.Exec(context.WithoutCancel(t.Context()), sql); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	exec(fmt.Sprintf("create role %s login%s", quoted, attributes))
	for _, role := range roles {
		exec(fmt.Sprintf("grant %s to %s", pgx.Identifier{role}.Sanitize(), quoted))
	}
	t.Cleanup(func() {
		// The role owns nothing outside this database, and the database is dropped later.
		exec("drop owned by " + quoted)
		exec("drop role " + quoted)
	})
	return name
}
