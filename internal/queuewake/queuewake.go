// Package queuewake wakes a program when there may be a message in its pgmq queues.
package queuewake

import (
	"context"
	"encoding/json"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/listen"
)

// messageReady is the channel on which the messages of all queues are announced. Followed by a dot and a namespace, it is the
// channel of that namespace.
const messageReady = "pgmq_message_ready"

// WakeReason says why [Listen] woke its caller.
type WakeReason string

const (
	// WakeNotified says that a message was announced.
	WakeNotified WakeReason = "notified"
	// WakeRepeated says that one throttle interval has passed since the queue's last announcement. Further messages in that
	// interval were not announced.
	WakeRepeated WakeReason = "repeated"
	// WakeConnected says that listening has begun, for the first time or again. Messages that were sent before were not
	// announced.
	WakeConnected WakeReason = "connected"
	// WakeEnded says that a transaction has ended that was open when listening began. It may have sent messages
	// without announcing them.
	WakeEnded WakeReason = "ended"
	// WakePolled says that no notification came for one poll interval.
	WakePolled WakeReason = "polled"
)

// Wake tells the caller to read queues.
type Wake struct {
	Reason WakeReason
	// Queue is the queue to read. Empty means all queues that the caller reads.
	Queue string
	// Namespace is the namespace of the queue. It is empty if Queue is empty.
	Namespace string
	// MsgID is the announced message, for PgmqReadSpecificMessage. It is 0 for a batch, and if no message was
	// announced.
	MsgID int64
}

// ListenConfig names the queues to listen to. Its zero value listens to all queues.
type ListenConfig struct {
	// Namespaces are the namespaces whose queues wake the caller. Default: all, which needs the setting
	// queue_notify_global.
	Namespaces []string
	// PollInterval is the longest time between two calls of wake, with or without a connection. Default: 30 s. If notifications
	// cannot arrive, it is at most 1 s.
	PollInterval time.Duration
	// PollOnly polls without LISTEN, for poolers that give a connection to each transaction. Default: false.
	PollOnly bool
	// MaxReconnectDelay bounds the wait before connecting again, which begins at 50 ms and doubles.
	// Default: 5 s.
	MaxReconnectDelay time.Duration
	// GiveWay is a channel. For each value on it Listen closes its connection and polls for half a minute, because the login
	// has no connection left for the caller's work (SQLSTATE 53300). Default: Listen gives way only if it cannot connect
	// itself.
	GiveWay <-chan struct{}
	// Logger logs lost connections. Default: slog.Default().
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

// Listen calls wake whenever there may be a message to read. It returns nil when ctx ends. wake runs in the caller's
// goroutine, one call after the other. While wake runs, announcements wait in the connection. wake should read until the
// queue is empty.
//
// While Listen waits, the database knows that the client sleeps (docs/wakeups.md), so that the setting notify may be "asleep".
// Listen opens a lost connection again. It polls without a connection, and whenever no announcement has arrived for a
// PollInterval. It polls once a second if announcements cannot arrive because of a pooler, a standby or the setting. So a
// message is usually read at once, and at the latest one PollInterval after it became visible.
func Listen(ctx context.Context, connect executor.Connect, config ListenConfig, wake func(ctx context.Context, w Wake)) error {
	config.setDefaults()
	l := &listen.Listener{
		Connect: connect, Channels: listen.Fixed(config.channels()...), PollInterval: config.PollInterval,
		MaxReconnectDelay: config.MaxReconnectDelay, Logger: config.Logger,
		Hearer: &queueHearer{wake: wake, pollInterval: config.PollInterval, repeats: map[string]repeat{}},
	}
	l.Marks = listen.Channels{Sleeper: uuid.New(), Names: config.channels}
	if config.PollOnly {
		l.Connect = nil
	}
	over := make(chan struct{})
	var listening sync.WaitGroup
	if config.GiveWay != nil {
		listening.Go(func() { config.giveWay(l, over) })
	}
	l.Run(ctx)
	close(over)
	listening.Wait()
	return nil
}

// giveWay passes on the values of the channel, until the channel is closed or Listen ends.
func (c *ListenConfig) giveWay(l *listen.Listener, over <-chan struct{}) {
	for {
		select {
		case _, open := <-c.GiveWay:
			if !open {
				return
			}
			l.GiveWay()
		case <-over:
			return
		}
	}
}

func (c *ListenConfig) channels() []string {
	if len(c.Namespaces) == 0 {
		return []string{messageReady}
	}
	channels := make([]string, len(c.Namespaces))
	for i, namespace := range c.Namespaces {
		channels[i] = messageReady + "." + namespace
	}
	return channels
}

// queueHearer turns a listener's notifications about queues into wake-ups.
type queueHearer struct {
	wake         func(ctx context.Context, w Wake)
	pollInterval time.Duration
	throttle     time.Duration
	repeats      map[string]repeat // by queue
}

// repeat is a wake-up that is due because a throttle may have swallowed an announcement.
type repeat struct {
	at        time.Time
	namespace string
}

func (h *queueHearer) Connected(ctx context.Context, conn *pgx.Conn) error {
	clear(h.repeats)
	if err := h.readThrottle(ctx, conn); err != nil {
		return err
	}
	h.wake(ctx, Wake{Reason: WakeConnected})
	return nil
}

func (h *queueHearer) Polled(ctx context.Context, conn *pgx.Conn) error {
	if conn != nil {
		if err := h.readThrottle(ctx, conn); err != nil {
			return err
		}
	}
	h.wake(ctx, Wake{Reason: WakePolled})
	return nil
}

// Ended implements listen.Ender.
func (h *queueHearer) Ended(ctx context.Context, _ *pgx.Conn) error {
	h.wake(ctx, Wake{Reason: WakeEnded})
	return nil
}

// readThrottle reads the throttle interval: after an announcement, the database sends no other announcement for the queue for
// that time.
func (h *queueHearer) readThrottle(ctx context.Context, conn *pgx.Conn) error {
	ctx, cancel := context.WithTimeout(ctx, max(h.pollInterval, time.Second))
	defer cancel()
	value, err := executor.New(conn).GetSetting(ctx, "queue_notify_throttle_ms")
	if err != nil {
		return err
	}
	milliseconds, err := strconv.Atoi(value)
	h.throttle = time.Duration(milliseconds) * time.Millisecond
	return err
}

// Notified wakes the caller for the queue of the announcement.
func (h *queueHearer) Notified(ctx context.Context, notification *pgconn.Notification) {
	var event struct {
		MsgID     int64  `json:"msg_id"`
		QueueName string `json:"queue_name"`
		Namespace string `json:"namespace"`
	}
	if err := json.Unmarshal([]byte(notification.Payload), &event); err != nil {
		// The payload has an unknown format. Read all queues of the namespace.
		event.Namespace = strings.TrimPrefix(strings.TrimPrefix(notification.Channel, messageReady), ".")
	}
	if h.throttle > 0 && event.QueueName != "" {
		h.repeats[event.QueueName] = repeat{at: time.Now().Add(h.throttle), namespace: event.Namespace}
	}
	h.wake(ctx, Wake{Reason: WakeNotified, Queue: event.QueueName, Namespace: event.Namespace, MsgID: event.MsgID})
}

func (h *queueHearer) Due() (due time.Time) {
	for _, r := range h.repeats {
		if due.IsZero() || r.at.Before(due) {
			due = r.at
		}
	}
	return due
}

func (h *queueHearer) Passed(ctx context.Context) {
	for queue, r := range h.repeats {
		if !time.Now().Before(r.at) {
			delete(h.repeats, queue)
			h.wake(ctx, Wake{Reason: WakeRepeated, Queue: queue, Namespace: r.namespace})
		}
	}
}
