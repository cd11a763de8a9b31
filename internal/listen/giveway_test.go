package listen_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/listen"
)

func TestListener_GivesWayForAWhileAndPolls(t *testing.T) {
	t.Parallel()
	var l *listen.Listener
	log := bubble(t, func(_ *server, listener *listen.Listener) { l = listener }, func(s *server, e *ear) {
		time.Sleep(10 * time.Second)
		l.GiveWay()
		time.Sleep(5500 * time.Millisecond)
		l.GiveWay() // work still has no connection
		time.Sleep(34 * time.Second)
		told := e.takes()
		require.Equal(t, []string{"0s connected", "10s polled without connection", "11s polled without connection"}, told[:3])
		require.Equal(t, "45s polled without connection", told[len(told)-2], "%v", told)
		require.Equal(t, "45.5s connected", told[len(told)-1])
		require.Len(t, s.sessions, 2)
	})
	require.Equal(t, 1, strings.Count(log, "the login has no connection left for work"), log)
	require.Contains(t, log, "listening again")
}

func TestListener_DoesNotCompeteForAPlace(t *testing.T) {
	t.Parallel()
	tries := 0
	log := bubble(t, func(s *server, l *listen.Listener) {
		l.Connect = func(ctx context.Context) (*pgx.Conn, error) {
			if tries++; tries == 1 {
				return nil, &pgconn.PgError{Code: "53300", Message: "too many connections for role"}
			}
			return s.connect(ctx)
		}
	}, func(_ *server, e *ear) {
		time.Sleep(28500 * time.Millisecond) // between two polls
		require.Equal(t, 1, tries)
		require.Len(t, e.takes(), 29, "it polls each second")
		time.Sleep(2500 * time.Millisecond)
		require.Equal(t, 2, tries)
	})
	require.Equal(t, 1, strings.Count(log, "level=WARN"), log)
}
