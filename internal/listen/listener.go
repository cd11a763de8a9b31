// Package listen keeps one connection on which PostgreSQL's notifications arrive, opens it again whenever it
// is lost, and polls all the while.
//
//	Connect ──▶ listen to Channels ──▶ Connected ──▶ wait ──▶ Notified, Passed …
//	   ▲                                               │ every PollInterval: Channels again, Polled
//	   └── polls while it waits, doubling ◀── error ───┘
//
// After anything was announced while it was deaf, its hearer is told once it hears again.
package listen

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Hearer is told what a listener hears, in the goroutine of Run, one call after the other.
type Hearer interface {
	// Connected is called when listening has begun: for the first time, again, or to further channels.
	Connected(ctx context.Context, conn *pgx.Conn) error
	// Notified is called for each notification.
	Notified(ctx context.Context, notification *pgconn.Notification)
	// Polled is called one poll interval after the last time, with a connection or, without one, nil.
	Polled(ctx context.Context, conn *pgx.Conn) error
	// Due returns when Passed is to be called, if that is before anything else; the zero time is never.
	Due() time.Time
	Passed(ctx context.Context)
}

// Listener keeps the connection. All fields but the last two must be set.
type Listener struct {
	// Connect opens the connection, Run closes it; nil polls only.
	Connect func(ctx context.Context) (*pgx.Conn, error)
	// Channels says on conn which channels to listen to. It is asked again at every poll, which also finds
	// out whether the connection still lives; what it names anew is listened to.
	Channels     func(ctx context.Context, conn *pgx.Conn) ([]string, error)
	PollInterval time.Duration
	// Logger hears of lost connections.
	Logger *slog.Logger
	Hearer Hearer
	// MaxReconnectDelay bounds the wait before connecting again, which begins at 50 ms and doubles.
	// Default: 5 s.
	MaxReconnectDelay time.Duration
	// LastPoll is when the caller last looked by itself. Default: never, so that it polls at once without
	// a connection.
	LastPoll time.Time

	delay time.Duration // before connecting again
	heard []string
}

const (
	firstDelay   = 50 * time.Millisecond
	longestDelay = 5 * time.Second
	closeWithin  = time.Second
	answerWithin = 10 * time.Second
)

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
		if err := l.session(ctx); ctx.Err() == nil {
			l.Logger.WarnContext(ctx, "listening was interrupted", "error", err, "again_in", l.delay)
			l.poll(ctx, l.delay)
			l.delay = min(2*l.delay, l.MaxReconnectDelay)
		}
	}
}

// session is one connection's life.
func (l *Listener) session(ctx context.Context) error {
	conn, err := l.Connect(ctx)
	if err != nil {
		return err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeWithin)
		defer cancel()
		_ = conn.Close(ctx)
	}()
	l.heard = nil
	if err := l.listen(ctx, conn); err != nil {
		return err
	}
	l.delay = firstDelay
	l.LastPoll = time.Now()

	for {
		notification, err := l.wait(ctx, conn)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return err
		case notification != nil:
			l.Hearer.Notified(ctx, notification)
		}
		if due := l.Hearer.Due(); !due.IsZero() && !time.Now().Before(due) {
			l.Hearer.Passed(ctx)
		}
		if time.Since(l.LastPoll) >= l.PollInterval {
			l.LastPoll = time.Now()
			if err := l.listen(ctx, conn); err != nil {
				return err
			}
			if err := l.Hearer.Polled(ctx, conn); err != nil {
				return err
			}
		}
	}
}

// listen asks for the channels, listens to those that are not heard yet, and tells if there are any.
func (l *Listener) listen(ctx context.Context, conn *pgx.Conn) error {
	asking, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	channels, err := l.Channels(asking, conn)
	if err != nil {
		return err
	}
	further := false
	for _, channel := range channels {
		if slices.Contains(l.heard, channel) {
			continue
		}
		if _, err := conn.Exec(asking, "listen "+pgx.Identifier{channel}.Sanitize()); err != nil {
			return err
		}
		further = true
	}
	l.heard = slices.Clone(channels)
	if !further {
		return nil
	}
	return l.Hearer.Connected(ctx, conn)
}

// wait returns the next notification, or nil when something else is due.
func (l *Listener) wait(ctx context.Context, conn *pgx.Conn) (*pgconn.Notification, error) {
	waitCtx, cancel := context.WithDeadline(ctx, earlier(l.LastPoll.Add(l.PollInterval), l.Hearer.Due()))
	defer cancel()
	notification, err := conn.WaitForNotification(waitCtx)
	if err != nil && waitCtx.Err() != nil && !conn.IsClosed() {
		return nil, ctx.Err()
	}
	return notification, err
}

// poll lets time pass without a connection, and polls whenever that is due.
func (l *Listener) poll(ctx context.Context, wait time.Duration) {
	until := time.Now().Add(wait)
	for ctx.Err() == nil {
		if time.Since(l.LastPoll) >= l.PollInterval {
			l.LastPoll = time.Now()
			_ = l.Hearer.Polled(ctx, nil) // Without a connection there is none to fail.
		}
		timer := time.NewTimer(time.Until(earlier(until, l.LastPoll.Add(l.PollInterval))))
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

// earlier returns the earlier of two times, of which the second may be zero: never.
func earlier(a, b time.Time) time.Time {
	if !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
