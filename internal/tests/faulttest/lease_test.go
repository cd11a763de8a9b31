package faulttest

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/faultproxy"
)

// outlive waits until the leases of a client were renewed, and the first leases would have ended.
func outlive(t *testing.T, s *site, c Client) {
	t.Helper()
	first := c.LeasedUntil(t, s)
	until(t, c.Name()+"'s leases are renewed", func() bool {
		return query[bool](t, s, "select now() > $1 and $2 > now()", first, c.LeasedUntil(t, s))
	}, c.Log)
}

// TestLease_SurvivesConnectionsThatDieSilently has a firewall forget the connections of the clients, while other workers wait for
// their leases to end.
func TestLease_SurvivesConnectionsThatDieSilently(t *testing.T) {
	t.Parallel()
	s := newSuite(t, inGo(), 8*time.Second, 8)
	others := []Client{newGoWorker("other worker"), newTasklib("other tasklib")}
	for _, c := range others {
		c.Start(t, &site{pool: s.pool, proxy: faultproxy.Postgres(t, s.pool), login: s.login}, 8*time.Second, 4)
	}
	s.proxy.Forget()
	for _, c := range s.all {
		outlive(t, s.site, c)
		c.Release()
	}
	s.recorded(t, 1)
	for _, c := range others {
		require.Empty(t, c.Begun(), "no job begins beside another run")
	}
}

// TestLease_SurvivesHandlersThatHoldThePool has handlers hold every connection of the worker's pool for longer than a lease.
func TestLease_SurvivesHandlersThatHoldThePool(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	c := newGoWorker("worker")
	c.before = func(ctx context.Context, pool *pgxpool.Pool) (func(), error) {
		tx, err := pool.Begin(ctx)
		if err != nil {
			return nil, err
		}
		return func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }, nil
	}
	c.Submit(t, s, jobsOfEach)
	c.Start(t, s, 4*time.Second, 2)
	until(t, "handlers hold the pool", func() bool { return len(c.Begun()) == 2 }, c.Log)
	other := newGoWorker("other")
	other.Start(t, s, 4*time.Second, 8)
	outlive(t, s, c)
	c.Release()
	other.Release()
	until(t, "results are recorded", func() bool { return c.Recorded(t, s) == jobsOfEach }, c.Log)
	for id, n := range c.Begun() {
		require.Equal(t, 1, n)
		require.NotContains(t, other.Begun(), id, "no step runs beside another run")
	}
}

// TestLease_ALoginWithoutAPlaceRenewsThroughThePool limits the login to the connections that the pool has.
func TestLease_ALoginWithoutAPlaceRenewsThroughThePool(t *testing.T) {
	t.Parallel()
	s := newSuite(t, inGo(), 4*time.Second, 2)
	s.exec(t, `alter role "`+s.login+`" connection limit 1`)
	for _, c := range s.all {
		outlive(t, s.site, c)
		c.Release()
	}
	s.recorded(t, 1)
}

// TestLease_IsRenewedWheneverTheOnlyConnectionIsFree leaves the login of each client one connection, which other work on the pool uses
// nearly always. A renewal that finds the connection in use gets no other connection, and waits for it.
func TestLease_IsRenewedWheneverTheOnlyConnectionIsFree(t *testing.T) {
	t.Parallel()
	for _, c := range inGo() {
		t.Run(c.Name(), func(t *testing.T) {
			t.Parallel()
			s := newSuite(t, []Client{c}, 6*time.Second, 4)
			s.exec(t, `alter role "`+s.login+`" connection limit 1`)
			s.proxy.Cut()
			pool := c.(interface{ Pool() *pgxpool.Pool }).Pool()
			ctx, stop := context.WithCancel(t.Context())
			var other sync.WaitGroup
			other.Go(func() {
				for ctx.Err() == nil {
					if conn, err := pool.Acquire(ctx); err == nil {
						_, _ = conn.Exec(ctx, "select pg_sleep(0.4)")
						conn.Release()
					}
					select { // for the renewals
					case <-time.After(60 * time.Millisecond):
					case <-ctx.Done():
					}
				}
			})
			for range 3 {
				outlive(t, s.site, c)
			}
			stop()
			other.Wait()
			c.Release()
			s.recorded(t, 1)
		})
	}
}

// TestLease_ThatIsLateIsSaidWithTheStateOfThePool keeps the only connection of each client's login in use for longer than half a lease.
func TestLease_ThatIsLateIsSaidWithTheStateOfThePool(t *testing.T) {
	t.Parallel()
	for _, c := range inGo() {
		t.Run(c.Name(), func(t *testing.T) {
			t.Parallel()
			s := newSuite(t, []Client{c}, 4*time.Second, 3)
			s.exec(t, `alter role "`+s.login+`" connection limit 1`)
			s.proxy.Cut()
			var held *pgxpool.Conn
			until(t, "the only connection is held", func() (got bool) {
				conn, err := c.(interface{ Pool() *pgxpool.Pool }).Pool().Acquire(t.Context())
				if err != nil {
					return false
				}
				if conn.Ping(t.Context()) != nil { // The connection was cut.
					conn.Release()
					return false
				}
				held = conn
				return true
			}, c.Log)
			defer held.Release()
			until(t, "it says so", func() bool { return strings.Contains(c.Log(), "are late: half of one has passed") }, c.Log)
			require.Contains(t, c.Log(), `pool="1 of 3 connections are in use"`)
		})
	}
}

// TestFaults_AListenerGivesWayToWork leaves the login of each client one connection, which its listener or its renewals may take
// first. Leases must be renewed, and results recorded.
func TestFaults_AListenerGivesWayToWork(t *testing.T) {
	t.Parallel()
	for _, c := range append(inGo(), programs()...) {
		t.Run(c.Name(), func(t *testing.T) {
			t.Parallel()
			s := newSuite(t, []Client{c}, 10*time.Second, 4)
			for login := range s.logins {
				s.exec(t, `alter role "`+login+`" connection limit 1`)
			}
			s.proxy.Cut()
			until(t, "a session begins", func() bool {
				return query[bool](t, s.site, "select exists (select from pg_stat_activity as a where a.usename = any($1))", slices.Collect(maps.Keys(s.logins)))
			}, c.Log)
			outlive(t, s.site, c)
			c.Release()
			s.recorded(t, 1)
			require.NoError(t, c.Stop())
		})
	}
}
