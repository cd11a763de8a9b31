package listen

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// freeEvery is the time between two checks of Free, since pgx has no event for a free connection.
const freeEvery = 10 * time.Millisecond

// giveWayFor is the time for which a listener stays without a connection after its login had no connection left for work.
const giveWayFor = 30 * time.Second

// errGaveWay ends the session of a listener that gives way.
var errGaveWay = errors.New("the listener has given its connection up")

// NoPlace reports whether the server refused a connection because the login, the database or the server has reached its limit
// of connections.
func NoPlace(err error) bool {
	var refused *pgconn.PgError
	return errors.As(err, &refused) && refused.Code == "53300"
}

// Free waits for a free connection of the pool, and does not open one. If all connections of a pool are in use, the pool itself
// would open another connection. The server would refuse it if the login is at its limit, although a connection of the pool may
// be free a moment later.
func Free(ctx context.Context, pool *pgxpool.Pool) (*pgxpool.Conn, error) {
	tick := time.NewTicker(freeEvery)
	defer tick.Stop()
	for {
		if idle := pool.AcquireAllIdle(ctx); len(idle) > 0 {
			for _, other := range idle[1:] {
				other.Release()
			}
			return idle[0], nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// GiveWay has the listener close its connection, and poll for a while, because the login has no connection left for the
// caller's work. Any goroutine may call GiveWay.
func (l *Listener) GiveWay() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.without = time.Now().Add(giveWayFor)
	if l.interrupt != nil {
		l.interrupt()
	}
}

// givesWay returns the time until which the listener stays without a connection.
func (l *Listener) givesWay() (until time.Time, yes bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.without, time.Now().Before(l.without)
}

// pollWithout polls until the listener may connect again.
func (l *Listener) pollWithout(ctx context.Context, until time.Time) {
	if l.since.IsZero() {
		l.since = time.Now()
		l.Logger.WarnContext(ctx, "the login has no connection left for work: the listener has given its own up, and polls",
			"every", min(l.PollInterval, unmarkedPoll), "mend", "raise the login's connection limit, or make pools smaller")
	}
	l.pollEach(ctx, min(l.PollInterval, unmarkedPoll), time.Until(until))
}
