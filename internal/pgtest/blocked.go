package pgtest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	blockedWithin = 10 * time.Second
	blockedEvery  = 2 * time.Millisecond
)

// WaitBlocked returns as soon as the session with the process id pid waits for a lock. It fails the test if the
// session does not wait within ten seconds. Tests of two sessions use it instead of sleeping:
//
//	pid := second.Conn().PgConn().PID()
//	go func() { done <- second.Exec(ctx, "update …") }()
//	pgtest.WaitBlocked(t, pool, pid)
//	require.NoError(t, first.Commit(ctx))
//
// WaitBlocked uses one connection of the pool while it waits.
func WaitBlocked(t testing.TB, pool *pgxpool.Pool, pid uint32) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), blockedWithin)
	defer cancel()
	conn, err := pool.Acquire(ctx)
	if err != nil {
		t.Fatal("pgtest: a connection to watch the session with:", err)
	}
	defer conn.Release()

	// The server has no event for a blocked session, so WaitBlocked queries again and again.
	tick := time.NewTicker(blockedEvery)
	defer tick.Stop()
	doing := "not seen yet"
	for {
		session, err := readSession(ctx, conn.Conn(), pid)
		switch {
		case err == nil && session.blocked:
			return
		case err == nil:
			doing = session.doing
		case ctx.Err() == nil:
			t.Fatalf("pgtest: session %d: %v", pid, err)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("pgtest: session %d does not wait for a lock: %s", pid, doing)
		}
	}
}

type session struct {
	blocked bool
	doing   string
}

func readSession(ctx context.Context, conn *pgx.Conn, pid uint32) (session, error) {
	const query = `
		select coalesce(a.wait_event_type = 'Lock', false),
		       format('state %s, wait event %s/%s, query %s',
		              a.state, a.wait_event_type, a.wait_event, a.query)
		  from pg_stat_activity as a
		 where a.pid = $1`
	var s session
	err := conn.QueryRow(ctx, query, int32(pid)).Scan(&s.blocked, &s.doing)
	if errors.Is(err, pgx.ErrNoRows) {
		err = errors.New("there is no such session")
	}
	return s, err
}
