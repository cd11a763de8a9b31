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

// changes wakes the waits of one pool when a task has changed. The waits share one connection, which listens until the last wait is over.
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
	wake    chan struct{} // has room for one wake-up
	new     bool          // the database has no mark of this wait yet
}

func (w *waiter) rouse() {
	select {
	case w.wake <- struct{}{}:
	default: // One wake-up is enough.
	}
}

var (
	changesMu sync.Mutex
	changesOf = map[*pgxpool.Pool]*changes{} // by pool, for the pools with a wait
)

// watchChanges returns a channel that gets a value whenever the task, or the streams of the step, may have changed. The caller must call
// leave at the end. The function giveWay makes the listener give up its connection.
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

// leave ends a wait. The end of the last wait closes the connection.
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
		<-c.stopped // The caller continues only after the connection is closed.
	}
}

// names returns a channel for each task and step that has a wait.
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

// Connected implements listen.Hearer. It wakes every wait that may have missed changes: the connection did not listen for it before.
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

// Polled implements listen.Hearer. It does nothing, since each wait polls by itself.
func (c *changes) Polled(context.Context, *pgx.Conn) error { return nil }

// Ended implements listen.Ender. It wakes all waits, since a transaction may have ended without a notification.
func (c *changes) Ended(context.Context, *pgx.Conn) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for w := range c.waiters {
		w.rouse()
	}
	return nil
}

// Due implements listen.Hearer. Nothing is ever due.
func (c *changes) Due() time.Time { return time.Time{} }

// Passed implements listen.Hearer.
func (c *changes) Passed(context.Context) {}
