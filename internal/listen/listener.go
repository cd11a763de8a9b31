// Package listen keeps one connection on which PostgreSQL's notifications arrive, opens the connection again whenever
// it is lost, and also polls.
//
//	Connect ──▶ listen to Channels ──▶ mark ──▶ Connected ──▶ wait ──▶ Notified, Passed …
//	   ▲                                                        │ every PollInterval: Channels again, Polled
//	   └───────── polls while it waits, doubling ◀──── error ───┘ when an open writer ended: Polled
//
// When the listener listens again after an interruption, it calls its hearer, since notifications may have been missed. Marks
// tell the database that the client sleeps. Without marks the database may send no notifications at all.
package listen

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Hearer gets a listener's notifications, in the goroutine of Run, one call after the other.
type Hearer interface {
	// Connected is called when listening has begun: for the first time, again, or to further channels.
	Connected(ctx context.Context, conn *pgx.Conn) error
	// Notified is called for each notification.
	Notified(ctx context.Context, notification *pgconn.Notification)
	// Polled is called if one poll interval has passed since the last call. Its argument is the connection, or nil if there is
	// no connection.
	Polled(ctx context.Context, conn *pgx.Conn) error
	// Due returns the time at which Passed must be called, unless another event comes earlier. The zero time means never.
	Due() time.Time
	Passed(ctx context.Context)
}

// Ender is a hearer with a method for the end of an open writer, a transaction that may have ended without a notification. For
// other hearers the listener calls Polled instead.
type Ender interface {
	Ended(ctx context.Context, conn *pgx.Conn) error
}

// Listener keeps the connection. All fields except the last three must be set.
type Listener struct {
	// Connect opens the connection, and Run closes it. With nil Run only polls.
	Connect func(ctx context.Context) (*pgx.Conn, error)
	// Channels reads on conn the channels to listen to. It is called again at every poll, which also checks that the
	// connection still works. The listener then listens to new channels as well.
	Channels     func(ctx context.Context, conn *pgx.Conn) ([]string, error)
	PollInterval time.Duration
	// Logger logs lost connections.
	Logger *slog.Logger
	Hearer Hearer
	// MaxReconnectDelay bounds the wait before connecting again, which begins at 50 ms and doubles.
	// Default: 5 s.
	MaxReconnectDelay time.Duration
	// LastPoll is when the caller last polled. The default is never, so that a listener without a connection polls at
	// once.
	LastPoll time.Time
	// Marks note in the database that the client sleeps. Without Marks the client misses the notifications that are
	// sent only to sleeping clients.
	Marks Marks

	delay   time.Duration // before connecting again
	standby bool          // the last session was with a standby, and was logged
	heard   []string
	since   time.Time // when the connection was lost, zero while there is a connection
	said    time.Time // when this was last logged

	mu        sync.Mutex
	busy      bool               // the caller queries anyway
	stale     bool               // Channels would return other names
	unmarked  bool               // the marks lack a name, and must be made again
	without   time.Time          // until when the listener stays without a connection
	interrupt context.CancelFunc // ends the wait that is under way
}

const (
	firstDelay   = 50 * time.Millisecond
	longestDelay = 5 * time.Second
	closeWithin  = time.Second
	answerWithin = 10 * time.Second
	// connectWithin bounds the time of Connect, since a server may accept a connection and then stay silent.
	connectWithin = 30 * time.Second
	repeatAfter   = time.Minute
)

// errStandby says that the server is a standby, where LISTEN does not work.
var errStandby = errors.New("the server is a standby")

// Fixed are channels that stay the same.
func Fixed(channels ...string) func(ctx context.Context, conn *pgx.Conn) ([]string, error) {
	return func(ctx context.Context, conn *pgx.Conn) ([]string, error) { return channels, conn.Ping(ctx) }
}

// Run listens until ctx ends. It starts no goroutine.
func (l *Listener) Run(ctx context.Context) {
	if l.MaxReconnectDelay <= 0 {
		l.MaxReconnectDelay = longestDelay
	}
	l.delay = firstDelay
	for ctx.Err() == nil {
		if l.Connect == nil {
			l.poll(ctx, l.PollInterval)
			continue
		}
		if until, yes := l.givesWay(); yes {
			l.pollWithout(ctx, until)
			continue
		}
		err := l.session(ctx)
		if NoPlace(err) {
			l.GiveWay() // rather than compete for the next place with the caller's work
		}
		if _, yes := l.givesWay(); yes {
			continue
		}
		if errors.Is(err, errStandby) {
			if !l.standby {
				l.Logger.InfoContext(ctx, "the server is a standby, on which LISTEN does not work: polling", "every", l.PollInterval)
			}
			l.standby = true
			l.poll(ctx, max(l.MaxReconnectDelay, l.PollInterval)) // The standby may have been promoted by then.
			continue
		}
		l.standby = false
		if ctx.Err() == nil {
			l.interrupted(ctx, err)
			l.poll(ctx, l.delay)
			l.delay = min(2*l.delay, l.MaxReconnectDelay)
		}
	}
}

// interrupted logs that there is no connection, first when the connection is lost, and then once a minute.
func (l *Listener) interrupted(ctx context.Context, err error) {
	now := time.Now()
	begins := l.since.IsZero()
	if begins {
		l.since = now
	}
	if begins || now.Sub(l.said) >= repeatAfter {
		l.said = now
		l.Logger.WarnContext(ctx, "listening was interrupted; polling until a connection can be made", "error", err)
	}
}

// session runs the listener from the opening of one connection to its end.
func (l *Listener) session(ctx context.Context) error {
	connecting, connected := context.WithTimeout(ctx, connectWithin)
	conn, err := l.Connect(connecting)
	connected()
	if err != nil {
		return err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeWithin)
		defer cancel()
		_ = conn.Close(ctx)
	}()
	if conn.PgConn().ParameterStatus("in_hot_standby") == "on" {
		return errStandby
	}
	l.heard = nil
	s, err := l.prepare(ctx, conn)
	if err != nil {
		return err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeWithin)
		defer cancel()
		l.leave(ctx, conn, &s)
	}()
	if err := l.listen(ctx, conn, &s); err != nil {
		return err
	}
	l.delay = firstDelay
	if !l.since.IsZero() {
		l.Logger.InfoContext(ctx, "listening again", "after", time.Since(l.since).Round(time.Millisecond))
		l.since = time.Time{}
	}
	l.LastPoll = time.Now()

	for {
		notification, err := l.wait(ctx, conn, &s)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return err
		case notification != nil:
			l.Hearer.Notified(ctx, notification)
		}
		if _, yes := l.givesWay(); yes {
			return errGaveWay
		}
		if due := l.Hearer.Due(); !due.IsZero() && !time.Now().Before(due) {
			l.Hearer.Passed(ctx)
		}
		query, err := l.mark(ctx, conn, &s)
		if err != nil {
			return err
		}
		polls := time.Since(l.LastPoll) >= l.pollEvery(&s)
		if polls {
			l.LastPoll = time.Now()
		}
		if l.takeStale() || polls {
			if err := l.listen(ctx, conn, &s); err != nil {
				return err
			}
		}
		if polls {
			err = l.Hearer.Polled(ctx, conn)
		} else if query {
			err = l.ended(ctx, conn)
		}
		if err != nil {
			return err
		}
	}
}

// listen reads the channels, listens to new channels, and reports whether there are new channels.
func (l *Listener) listen(ctx context.Context, conn *pgx.Conn, s *sleep) error {
	asking, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	channels, err := l.Channels(asking, conn)
	if err != nil {
		return err
	}
	further, unmarked := false, l.takeUnmarked()
	for _, channel := range channels {
		if slices.Contains(l.heard, channel) {
			continue
		}
		_, err := conn.Exec(asking, "listen "+pgx.Identifier{channel}.Sanitize())
		if standby(err) {
			return l.deaf(ctx, conn, s)
		}
		if err != nil {
			return err
		}
		further = true
	}
	l.heard = slices.Clone(channels)
	switch {
	case !further && !unmarked:
		return nil
	case s.deaf && further:
		return errors.New("the server was promoted")
	case s.deaf:
		return l.Hearer.Polled(ctx, conn)
	}
	s.ends = time.Time{} // The mark, if there is one, lacks the further channels.
	if _, err := l.mark(ctx, conn, s); err != nil {
		return err
	}
	return l.Hearer.Connected(ctx, conn)
}

// standby reports whether an error comes from a server in recovery, where LISTEN does not work.
func standby(err error) bool {
	var refused *pgconn.PgError
	return errors.As(err, &refused) && refused.Code == "25006"
}

// deaf continues without notifications, since a standby sends no notifications before it is promoted. Each poll tries to listen
// again.
func (l *Listener) deaf(ctx context.Context, conn *pgx.Conn, s *sleep) error {
	if !s.deaf {
		l.Logger.InfoContext(ctx, "the server is a standby, which cannot notify; polling", "every", l.pollEvery(s))
		*s = sleep{deaf: true}
		return l.Hearer.Polled(ctx, conn)
	}
	return nil
}

// wait returns the next notification, or nil when something else is due.
func (l *Listener) wait(ctx context.Context, conn *pgx.Conn, s *sleep) (*pgconn.Notification, error) {
	until := earlier(earlier(l.LastPoll.Add(l.pollEvery(s)), l.Hearer.Due()), s.next())
	waitCtx, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	if !l.mayWait(s, cancel) {
		return nil, ctx.Err()
	}
	defer l.mayWait(s, nil)
	notification, err := conn.WaitForNotification(waitCtx)
	if err != nil && waitCtx.Err() != nil && !conn.IsClosed() {
		return nil, ctx.Err()
	}
	return notification, err
}

// poll waits without a connection, and polls whenever a poll is due.
func (l *Listener) poll(ctx context.Context, wait time.Duration) {
	l.pollEach(ctx, l.PollInterval, wait)
}

func (l *Listener) pollEach(ctx context.Context, every, wait time.Duration) {
	until := time.Now().Add(wait)
	for ctx.Err() == nil {
		if time.Since(l.LastPoll) >= every {
			l.LastPoll = time.Now()
			_ = l.Hearer.Polled(ctx, nil) // Only a call on a connection can fail.
		}
		timer := time.NewTimer(time.Until(earlier(until, l.LastPoll.Add(every))))
		select {
		case <-ctx.Done():
		case <-timer.C:
		}
		timer.Stop()
		if !time.Now().Before(until) {
			return
		}
	}
}

// earlier returns the earlier of two times. A second time of zero means never.
func earlier(a, b time.Time) time.Time {
	if !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
