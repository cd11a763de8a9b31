package executor

import (
	"context"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

const (
	firstReconnectDelay = 50 * time.Millisecond
	closeWithin         = time.Second
)

// hearer is told what a listener hears.
type hearer interface {
	// connected is called when listening has begun, for the first time or again.
	connected(ctx context.Context, conn *pgx.Conn) error
	// notified is called for each notification.
	notified(ctx context.Context, notification *pgconn.Notification)
	// polled is called one poll interval after the last time, with a connection or, without one, nil.
	polled(ctx context.Context, conn *pgx.Conn) error
	// due returns when passed is to be called, if that is before anything else; the zero time is never.
	due() time.Time
	passed(ctx context.Context)
}

// listener keeps a connection that listens, opens it again when it is lost, and polls all the while. It
// calls its hearer in the goroutine of run, one call after the other.
type listener struct {
	connect           Connect // nil polls only
	channels          []string
	pollInterval      time.Duration
	maxReconnectDelay time.Duration
	logger            *slog.Logger
	hearer            hearer

	delay    time.Duration // before connecting again
	lastPoll time.Time
}

// run listens until ctx ends.
func (l *listener) run(ctx context.Context) {
	l.delay = firstReconnectDelay
	for ctx.Err() == nil {
		if l.connect == nil {
			l.poll(ctx, l.pollInterval)
			continue
		}
		if err := l.session(ctx); ctx.Err() == nil {
			l.logger.WarnContext(ctx, "listening was interrupted", "error", err, "again_in", l.delay)
			l.poll(ctx, l.delay)
			l.delay = min(2*l.delay, l.maxReconnectDelay)
		}
	}
}

// session connects, listens and hears until something fails.
func (l *listener) session(ctx context.Context) error {
	conn, err := l.connect(ctx)
	if err != nil {
		return err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeWithin)
		defer cancel()
		_ = conn.Close(ctx)
	}()
	for _, channel := range l.channels {
		if _, err := conn.Exec(ctx, "listen "+pgx.Identifier{channel}.Sanitize()); err != nil {
			return err
		}
	}
	l.lastPoll = time.Now()
	if err := l.hearer.connected(ctx, conn); err != nil {
		return err
	}
	l.delay = firstReconnectDelay

	for {
		notification, err := l.wait(ctx, conn)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return err
		case notification != nil:
			l.hearer.notified(ctx, notification)
		}
		if due := l.hearer.due(); !due.IsZero() && !time.Now().Before(due) {
			l.hearer.passed(ctx)
		}
		if time.Since(l.lastPoll) >= l.pollInterval {
			l.lastPoll = time.Now()
			if err := l.hearer.polled(ctx, conn); err != nil {
				return err
			}
		}
	}
}

// wait returns the next notification, or nil when something else is due.
func (l *listener) wait(ctx context.Context, conn *pgx.Conn) (*pgconn.Notification, error) {
	waitCtx, cancel := context.WithDeadline(ctx, earlier(l.lastPoll.Add(l.pollInterval), l.hearer.due()))
	defer cancel()
	notification, err := conn.WaitForNotification(waitCtx)
	if err != nil && waitCtx.Err() != nil && !conn.IsClosed() {
		return nil, ctx.Err()
	}
	return notification, err
}

// poll lets time pass without a connection, and polls whenever that is due.
func (l *listener) poll(ctx context.Context, wait time.Duration) {
	until := time.Now().Add(wait)
	for ctx.Err() == nil {
		if time.Since(l.lastPoll) >= l.pollInterval {
			l.lastPoll = time.Now()
			_ = l.hearer.polled(ctx, nil) // Without a connection there is none to fail.
		}
		timer := time.NewTimer(time.Until(earlier(until, l.lastPoll.Add(l.pollInterval))))
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
