package executor

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/internal/listen"
)

// taskEvents is the channel on which tasks' changes of state are announced.
const taskEvents = "tasker_task_events"

// callWithin is how long a query may take if it has no other bound.
const callWithin = 30 * time.Second

// changes tells the waits of one pool that a task has changed. The waits share one connection, which listens until the last wait is over.
type changes struct {
	pool     *pgxpool.Pool
	listener *listen.Listener
	stop     context.CancelFunc
	stopped  chan struct{}

	mu      sync.Mutex
	waiters map[*waiter]struct{}
	conn    *pgx.Conn // the connection that listens
}

// waiter is one wait for a task, or for the streams of a step.
type waiter struct {
	channel string
	about   uuid.UUID
	wake    chan struct{} // holds one wake-up
	new     bool          // the marks do not have it yet
}

func (w *waiter) rouse() {
	select {
	case w.wake <- struct{}{}:
	default: // One wake-up is enough.
	}
}

var (
	changesMu sync.Mutex
	changesOf = map[*pgxpool.Pool]*changes{} // the pools with a wait
)

// watchChanges returns a channel that has a value whenever a task, or a step's streams, may have changed, until leave is called. giveWay
// makes the listener give up its connection.
func watchChanges(pool *pgxpool.Pool, channel string, about uuid.UUID) (wake <-chan struct{}, giveWay, leave func()) {
	changesMu.Lock()
	defer changesMu.Unlock()
	c := changesOf[pool]
	if c == nil {
		c = newChanges(pool)
		changesOf[pool] = c
	}
	w := &waiter{channel: channel, about: about, wake: make(chan struct{}, 1), new: true}
	c.mu.Lock()
	c.waiters[w] = struct{}{}
	c.mu.Unlock()
	c.listener.Remark()
	return w.wake, c.listener.GiveWay, func() { c.leave(w) }
}

func newChanges(pool *pgxpool.Pool) *changes {
	c := &changes{pool: pool, waiters: map[*waiter]struct{}{}, stopped: make(chan struct{})}
	c.listener = &listen.Listener{
		Connect: listen.ConnectLike(pool), Channels: listen.Fixed(taskEvents, streamEvents), PollInterval: 5 * time.Second,
		Logger: slog.Default(), Hearer: c, LastPoll: time.Now(), Marks: listen.Channels{Sleeper: uuid.New(), Names: c.names},
	}
	ctx, stop := context.WithCancel(context.Background())
	c.stop = stop
	go func() {
		defer close(c.stopped)
		c.listener.Run(ctx)
	}()
	return c
}

// leave ends a wait. The last one closes the connection.
func (c *changes) leave(w *waiter) {
	changesMu.Lock()
	c.mu.Lock()
	delete(c.waiters, w)
	last := len(c.waiters) == 0
	c.mu.Unlock()
	if last {
		delete(changesOf, c.pool)
	}
	changesMu.Unlock()
	if last {
		c.stop()
		<-c.stopped // The connection is closed when the caller goes on.
	}
}

// names returns the channels of the tasks and steps that waits concern.
func (c *changes) names() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	names, seen := []string{}, map[string]bool{}
	for w := range c.waiters {
		name := w.channel + "." + w.about.String()
		if !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	return names
}

// Connected implements listen.Hearer: no notifications came for earlier changes.
func (c *changes) Connected(_ context.Context, conn *pgx.Conn) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for w := range c.waiters {
		if w.new || conn != c.conn {
			w.new = false
			w.rouse()
		}
	}
	c.conn = conn
	return nil
}

// Notified implements listen.Hearer.
func (c *changes) Notified(_ context.Context, notification *pgconn.Notification) {
	about, ok := changed(notification.Channel, notification.Payload)
	c.mu.Lock()
	defer c.mu.Unlock()
	for w := range c.waiters {
		if !ok || about == w.about && w.channel == notification.Channel {
			w.rouse()
		}
	}
}

// Polled implements listen.Hearer: the waits poll on their own.
func (c *changes) Polled(context.Context, *pgx.Conn) error { return nil }

// Ended implements listen.Ender: a transaction may have ended without a notification.
func (c *changes) Ended(context.Context, *pgx.Conn) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for w := range c.waiters {
		w.rouse()
	}
	return nil
}

// Due implements listen.Hearer: nothing is ever due.
func (c *changes) Due() time.Time { return time.Time{} }

// Passed implements listen.Hearer.
func (c *changes) Passed(context.Context) {}
