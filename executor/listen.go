package executor

import (
	"context"
	"encoding/json"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// messageReady is the channel on which every message of every queue is announced; with a dot and a
// namespace behind it, that namespace's.
const messageReady = "pgmq_message_ready"

// WakeReason says why [Listen] woke its caller.
type WakeReason string

const (
	// WakeNotified says that a message was announced.
	WakeNotified WakeReason = "notified"
	// WakeRepeated says that one throttle interval has passed since the queue's last announcement, in which
	// further messages were not announced.
	WakeRepeated WakeReason = "repeated"
	// WakeConnected says that listening has begun, for the first time or again; messages sent before were
	// announced to nobody.
	WakeConnected WakeReason = "connected"
	// WakePolled says that nobody said anything for one poll interval.
	WakePolled WakeReason = "polled"
)

// Wake is a call to read.
type Wake struct {
	Reason WakeReason
	// Queue to read; empty means all that the caller reads.
	Queue string
	// Namespace of the queue; empty if Queue is.
	Namespace string
	// MsgID of the message, for PgmqReadSpecificMessage; 0 if it is not one that was announced, and for
	// a batch.
	MsgID int64
}

// ListenConfig says what to listen to. Its zero value listens to all queues.
type ListenConfig struct {
	// Namespaces whose queues wake the caller. Default: all, which needs the setting queue_notify_global.
	Namespaces []string
	// PollInterval is how long silence lasts at most, also while there is no connection. Default: 30 s.
	PollInterval time.Duration
	// PollOnly does without LISTEN, for poolers that give a connection to each transaction. Default: false.
	PollOnly bool
	// MaxReconnectDelay bounds the wait before connecting again, which begins at 50 ms and doubles.
	// Default: 5 s.
	MaxReconnectDelay time.Duration
	// Logger hears of lost connections. Default: slog.Default().
	Logger *slog.Logger
}

func (c *ListenConfig) setDefaults() {
	if c.PollInterval <= 0 {
		c.PollInterval = 30 * time.Second
	}
	if c.MaxReconnectDelay <= 0 {
		c.MaxReconnectDelay = 5 * time.Second
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
}

// Connect opens the connection that [Listen] keeps for itself. It is closed by Listen.
//
//	func(ctx context.Context) (*pgx.Conn, error) { return pgx.Connect(ctx, url) }
//	func(ctx context.Context) (*pgx.Conn, error) { return pgx.ConnectConfig(ctx, pool.Config().ConnConfig) }
type Connect func(ctx context.Context) (*pgx.Conn, error)

// Listen calls wake whenever there may be something to read, until ctx ends, and returns nil then. It
// starts no goroutine: wake runs in the caller's, one call after the other, and while it runs
// announcements wait in the connection. wake should read until the queue is empty.
//
// A lost connection is opened again; meanwhile, and whenever announcements fail to come, Listen polls.
// A message is thus read at the latest one PollInterval after it became visible, and mostly at once.
func Listen(ctx context.Context, connect Connect, config ListenConfig, wake func(ctx context.Context, w Wake)) error {
	config.setDefaults()
	l := &listener{connect: connect, config: config, wake: wake, delay: firstReconnectDelay}
	for ctx.Err() == nil {
		if config.PollOnly {
			l.poll(ctx, config.PollInterval)
			continue
		}
		if err := l.session(ctx); ctx.Err() == nil {
			config.Logger.WarnContext(ctx, "listening for messages was interrupted", "error", err, "again_in", l.delay)
			l.poll(ctx, l.delay)
			l.delay = min(2*l.delay, config.MaxReconnectDelay)
		}
	}
	return nil
}

const (
	firstReconnectDelay = 50 * time.Millisecond
	closeWithin         = time.Second
)

type listener struct {
	connect  Connect
	config   ListenConfig
	wake     func(ctx context.Context, w Wake)
	delay    time.Duration // before connecting again
	lastPoll time.Time

	throttle time.Duration
	repeats  map[string]repeat // by queue
}

// repeat is a wake-up that is due because a throttle may have swallowed an announcement.
type repeat struct {
	at        time.Time
	namespace string
}

// session connects, listens and wakes until something fails.
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
	for _, channel := range l.channels() {
		if _, err := conn.Exec(ctx, "listen "+pgx.Identifier{channel}.Sanitize()); err != nil {
			return err
		}
	}
	if err := l.readThrottle(ctx, conn); err != nil {
		return err
	}
	l.delay = firstReconnectDelay
	l.repeats = map[string]repeat{}
	l.lastPoll = time.Now()
	l.wake(ctx, Wake{Reason: WakeConnected})

	for {
		notification, err := l.wait(ctx, conn)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return err
		case notification != nil:
			l.announce(ctx, notification)
		}
		l.repeatDue(ctx)
		if time.Since(l.lastPoll) >= l.config.PollInterval {
			// Asking for the setting also finds out whether the connection is still alive.
			if err := l.readThrottle(ctx, conn); err != nil {
				return err
			}
			l.lastPoll = time.Now()
			l.wake(ctx, Wake{Reason: WakePolled})
		}
	}
}

func (l *listener) channels() []string {
	if len(l.config.Namespaces) == 0 {
		return []string{messageReady}
	}
	channels := make([]string, len(l.config.Namespaces))
	for i, namespace := range l.config.Namespaces {
		channels[i] = messageReady + "." + namespace
	}
	return channels
}

// readThrottle learns how long the database may keep silent about a queue.
func (l *listener) readThrottle(ctx context.Context, conn *pgx.Conn) error {
	ctx, cancel := context.WithTimeout(ctx, max(l.config.PollInterval, time.Second))
	defer cancel()
	value, err := New(conn).GetSetting(ctx, "queue_notify_throttle_ms")
	if err != nil {
		return err
	}
	milliseconds, err := strconv.Atoi(value)
	l.throttle = time.Duration(milliseconds) * time.Millisecond
	return err
}

// wait returns the next announcement, or nil when a poll or a repetition is due.
func (l *listener) wait(ctx context.Context, conn *pgx.Conn) (*pgconn.Notification, error) {
	due := l.lastPoll.Add(l.config.PollInterval)
	for _, r := range l.repeats {
		if r.at.Before(due) {
			due = r.at
		}
	}
	waitCtx, cancel := context.WithDeadline(ctx, due)
	defer cancel()
	notification, err := conn.WaitForNotification(waitCtx)
	if err != nil && waitCtx.Err() != nil && !conn.IsClosed() {
		return nil, ctx.Err()
	}
	return notification, err
}

// announce wakes for the queue that the announcement is about.
func (l *listener) announce(ctx context.Context, notification *pgconn.Notification) {
	var event struct {
		MsgID     int64  `json:"msg_id"`
		QueueName string `json:"queue_name"`
		Namespace string `json:"namespace"`
	}
	if err := json.Unmarshal([]byte(notification.Payload), &event); err != nil {
		// Not ours, but somebody means to say something: read everything of the namespace.
		event.Namespace = strings.TrimPrefix(strings.TrimPrefix(notification.Channel, messageReady), ".")
	}
	if l.throttle > 0 && event.QueueName != "" {
		l.repeats[event.QueueName] = repeat{at: time.Now().Add(l.throttle), namespace: event.Namespace}
	}
	l.wake(ctx, Wake{Reason: WakeNotified, Queue: event.QueueName, Namespace: event.Namespace, MsgID: event.MsgID})
}

func (l *listener) repeatDue(ctx context.Context) {
	for queue, r := range l.repeats {
		if !time.Now().Before(r.at) {
			delete(l.repeats, queue)
			l.wake(ctx, Wake{Reason: WakeRepeated, Queue: queue, Namespace: r.namespace})
		}
	}
}

// poll lets time pass without a connection, and wakes each time a poll is due.
func (l *listener) poll(ctx context.Context, wait time.Duration) {
	until := time.Now().Add(wait)
	for ctx.Err() == nil {
		if time.Since(l.lastPoll) >= l.config.PollInterval {
			l.lastPoll = time.Now()
			l.wake(ctx, Wake{Reason: WakePolled})
		}
		due := l.lastPoll.Add(l.config.PollInterval)
		if until.Before(due) {
			due = until
		}
		timer := time.NewTimer(time.Until(due))
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
