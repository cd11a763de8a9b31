package crashtest

import (
	"context"
	"errors"
	"net/url"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/pgtest/pgserver"
	"github.com/pgtasker/pgtasker/internal/tests/enginetest"
)

// A lease of five seconds ends while the server cannot be reached. From the return of the server its worker has five more
// seconds to renew the lease, and no longer.
func TestLeases_EndOnlyAfterTheServerWasHeardForTheirTime(t *testing.T) {
	t.Parallel()
	for name, interrupt := range map[string]func(*testing.T, *interrupted){
		"clean restart":         func(t *testing.T, i *interrupted) { require.NoError(t, i.server.Restart(t.Context())) },
		"immediate stop":        func(t *testing.T, i *interrupted) { require.NoError(t, i.server.RestartImmediately(t.Context())) },
		"SIGKILL of everything": func(t *testing.T, i *interrupted) { require.NoError(t, i.server.Crash(t.Context())) },
		"SIGKILL of a backend":  killBackend,
		"promotion":             promote,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pool, server := pgtest.NewPrivate(t)
			i := &interrupted{server: server, url: pool.Config().ConnString()}
			f := newFleet(t, pool, i.url, "plain")
			// The fixtures note that the server has always been up. Delete this note.
			_, err := pool.Exec(t.Context(), `select tasker_test.freeze(now() - interval '10 seconds'); truncate tasker.lease_clock`)
			require.NoError(t, err)
			f.create(pool, 20, false)
			owner := direct.ClaimRequest{WorkerUUID: uuid.New(), Limit: 100, Lease: 5 * time.Second}
			held, err := direct.New(pool).ClaimSteps(t.Context(), owner)
			require.NoError(t, err)
			require.Len(t, held, 20)

			interrupt(t, i)
			pool.Close()
			pool, err = pgxpool.New(t.Context(), i.url)
			require.NoError(t, err)
			defer pool.Close()
			e := direct.New(pool)
			now := func(sql string) {
				t.Helper()
				_, err := pool.Exec(t.Context(), sql)
				require.NoError(t, err)
			}
			// If the postmaster kept running, its start must be long ago, so move the clock by a minute.
			now(`update tasker_test.frozen_clock set at = now() + interval '1 minute' * ` + i.minutes())

			other := direct.ClaimRequest{WorkerUUID: uuid.New(), Limit: 100, Lease: 5 * time.Second}
			requireClaims := func(want int, why string) {
				t.Helper()
				got, err := e.ClaimSteps(t.Context(), other)
				require.NoError(t, err)
				require.Len(t, got, want, why)
			}
			requireClaims(0, "the leases have ended, but no worker could renew them")
			now(`select tasker_test.pass('4 seconds')`)
			requireClaims(0, "the time of a lease has not passed")
			leases, err := e.ExtendLeases(t.Context(), claimsOf(held[:10]), 5*time.Second)
			require.NoError(t, err)
			for _, lease := range leases {
				require.EqualValues(t, "extended", lease.Answer, "the worker renews its lease")
			}
			now(`select tasker_test.pass('1500 milliseconds')`)
			requireClaims(10, "who has not renewed is lost")
			now(`select tasker_test.pass('4 seconds')`)
			requireClaims(10, "and who stops to renew, after one lease more")

			violations, err := enginetest.Violations(t.Context(), pool, f.tasks)
			require.NoError(t, err)
			require.Empty(t, violations)
		})
	}
}

// With leases of five seconds and a server that restarts every 40 seconds, a lost step is claimed again each time.
func TestLeases_AreTakenBackBetweenRestarts(t *testing.T) {
	t.Parallel()
	pool, server := pgtest.NewPrivate(t)
	i := &interrupted{server: server, url: pool.Config().ConnString()}
	f := newFleet(t, pool, i.url, "plain")
	value := "60"
	_, err := direct.New(pool).SetSetting(t.Context(), "lease_seconds", &value)
	require.NoError(t, err)
	f.create(pool, 1, false)
	_, err = pool.Exec(t.Context(), `select tasker_test.freeze(now())`)
	require.NoError(t, err)

	for range 3 {
		claimed, err := direct.New(pool).ClaimSteps(t.Context(), direct.ClaimRequest{
			WorkerUUID: uuid.New(), Limit: 1, Lease: 5 * time.Second,
		})
		require.NoError(t, err)
		require.Len(t, claimed, 1, "the step of the lost worker is claimed")

		pool.Close()
		require.NoError(t, server.RestartImmediately(t.Context()))
		pool, err = pgxpool.New(t.Context(), i.url)
		require.NoError(t, err)
		defer pool.Close()
		_, err = pool.Exec(t.Context(), `select tasker_test.pass('34 seconds')`)
		require.NoError(t, err)
		_, err = direct.New(pool).Orchestrate(t.Context(), 100)
		require.NoError(t, err)
		_, err = pool.Exec(t.Context(), `select tasker_test.pass('6 seconds')`)
		require.NoError(t, err)
	}
}

// interrupted is a server that could not be reached for a while.
type interrupted struct {
	server *pgserver.Server
	url    string
	long   bool // whether the postmaster kept running
}

func (i *interrupted) minutes() string {
	if i.long {
		return "1"
	}
	return "0"
}

// killBackend makes the server recover without a restart of its postmaster.
func killBackend(t *testing.T, i *interrupted) {
	t.Helper()
	victim, err := pgx.Connect(t.Context(), i.url)
	require.NoError(t, err)
	require.NoError(t, syscall.Kill(int(victim.PgConn().PID()), syscall.SIGKILL))
	_, err = victim.Exec(t.Context(), `select`)
	require.Error(t, err)

	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for {
		conn, err := pgx.Connect(ctx, i.url)
		if err == nil {
			// The recovery would end a session that began before it.
			var recovered bool
			if err = conn.QueryRow(ctx, `select not exists (select from tasker.lease_clock)`).Scan(&recovered); err == nil && recovered {
				i.long = true
				require.NoError(t, conn.Close(ctx))
				return
			}
			_ = conn.Close(ctx)
		}
		require.False(t, errors.Is(ctx.Err(), context.DeadlineExceeded), err)
	}
}

// promote stops the server and promotes its standby.
func promote(t *testing.T, i *interrupted) {
	t.Helper()
	standby, err := i.server.StartStandby(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, standby.Stop()) })
	i.url, i.long = onServer(t, i.url, standby), true
	conn, err := pgx.Connect(t.Context(), i.url)
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(t.Context())) }()
	var promoted bool
	require.NoError(t, conn.QueryRow(t.Context(), `select pg_promote()`).Scan(&promoted))
	require.True(t, promoted)
}

func claimsOf(steps []gen.ClaimedStep) (claims []direct.StepClaim) {
	for _, s := range steps {
		claims = append(claims, direct.StepClaim{StepUUID: s.StepUUID, ClaimNo: s.ClaimNo})
	}
	return claims
}

// onServer returns the URL of the same database on another server.
func onServer(t *testing.T, database string, server *pgserver.Server) string {
	t.Helper()
	from, err := url.Parse(database)
	require.NoError(t, err)
	to, err := url.Parse(server.URL)
	require.NoError(t, err)
	to.Path = from.Path
	return to.String()
}
