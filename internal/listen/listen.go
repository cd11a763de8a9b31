// Package listen keeps one connection on which PostgreSQL's notifications arrive, and opens it again
// whenever it is lost.
//
//	Connect ──▶ listen to Channels ──▶ Wake("") ──▶ wait ──▶ Wake(channel) …
//	   ▲                                             │ every CheckInterval: Channels again
//	   └───────────── pause, doubling ◀── error ─────┘
//
// It promises one thing: after anything was announced while it was deaf, it wakes once it hears again.
package listen

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Config says what to listen to. All fields but the last two must be set.
type Config struct {
	// Connect opens the connection; Run closes it.
	Connect func(ctx context.Context) (*pgx.Conn, error)
	// Channels says on conn which channels to listen to. It is asked again every CheckInterval, which
	// also finds out whether the connection still lives; what it names anew is listened to, and woken for.
	Channels func(ctx context.Context, conn *pgx.Conn) ([]string, error)
	// Wake is called in Run's goroutine: with the channel of each notification, and with "" when
	// listening has begun.
	Wake func(channel string)
	// Logger hears of lost connections.
	Logger *slog.Logger
	// CheckInterval is the time between two looks at the channels. Default: 30 s.
	CheckInterval time.Duration
	// MaxDelay bounds the pause before connecting again, which begins at 50 ms. Default: 5 s.
	MaxDelay time.Duration
}

const (
	firstDelay   = 50 * time.Millisecond
	closeWithin  = time.Second
	answerWithin = 10 * time.Second
)

// Run listens until ctx ends. It starts no goroutine.
func Run(ctx context.Context, config Config) {
	if config.CheckInterval <= 0 {
		config.CheckInterval = 30 * time.Second
	}
	if config.MaxDelay <= 0 {
		config.MaxDelay = 5 * time.Second
	}
	delay := firstDelay
	for ctx.Err() == nil {
		err := session(ctx, config, func() { delay = firstDelay })
		if ctx.Err() != nil {
			return
		}
		config.Logger.WarnContext(ctx, "listening was interrupted; polling goes on", "error", err, "again_in", delay)
		timer := time.NewTimer(delay)
		select {
		case <-ctx.Done():
		case <-timer.C:
		}
		timer.Stop()
		delay = min(2*delay, config.MaxDelay)
	}
}

// session is one connection's life.
func session(ctx context.Context, config Config, connected func()) error {
	conn, err := config.Connect(ctx)
	if err != nil {
		return err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeWithin)
		defer cancel()
		_ = conn.Close(ctx)
	}()

	var heard []string
	for {
		if heard, err = listenTo(ctx, config, conn, heard); err != nil {
			return err
		}
		connected()
		next := time.Now().Add(config.CheckInterval)
		for {
			notification, err := wait(ctx, conn, next)
			if err != nil {
				return err
			}
			if notification == nil {
				break
			}
			config.Wake(notification.Channel)
		}
	}
}

// listenTo listens to the channels that are not heard yet, wakes if there are any, and returns all.
func listenTo(ctx context.Context, config Config, conn *pgx.Conn, heard []string) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	channels, err := config.Channels(ctx, conn)
	if err != nil {
		return nil, err
	}
	first := heard == nil
	for _, channel := range channels {
		if slices.Contains(heard, channel) {
			continue
		}
		if _, err := conn.Exec(ctx, "listen "+pgx.Identifier{channel}.Sanitize()); err != nil {
			return nil, err
		}
		if !first {
			config.Wake(channel)
		}
	}
	if first {
		config.Wake("")
	}
	return append([]string{}, channels...), nil
}

// wait returns the next notification, or nil at the time until.
func wait(ctx context.Context, conn *pgx.Conn, until time.Time) (*pgconn.Notification, error) {
	waitCtx, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	notification, err := conn.WaitForNotification(waitCtx)
	if err != nil && ctx.Err() == nil && waitCtx.Err() != nil && !conn.IsClosed() {
		return nil, nil
	}
	return notification, err
}
