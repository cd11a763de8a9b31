package tasklib

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgtasker/pgtasker/internal/listen"
)

// The channels of schema tasklib.
const (
	channelReady     = "tasklib_ready"
	channelCancelled = "tasklib_cancelled"
)

// aliveEvery is how often the listener checks that its connection still works.
const aliveEvery = 30 * time.Second

// newListener returns a listener that wakes the claims when a task of the worker's names is submitted, and ends the contexts of tasks that
// are cancelled, on a separate connection. While there is no such connection, polling and the renewal of locks replace it.
func (w *Worker) newListener() *listen.Listener {
	return &listen.Listener{
		Connect:  listen.ConnectLike(w.client.pool),
		Channels: listen.Fixed(channelReady, channelCancelled), PollInterval: aliveEvery, Logger: w.logger,
		MaxReconnectDelay: maxDelay, Hearer: listen.Func(w.hear), Marks: marks{w},
	}
}

// marks in the database that the worker sleeps.
type marks struct{ *Worker }

// MarkSleeping implements listen.Marks.
func (m marks) MarkSleeping(ctx context.Context, conn *pgx.Conn, seconds int32) (bool, error) {
	return NewFunctions(conn).MarkSleeping(ctx, m.id, m.names, &seconds)
}

// MarkAwake implements listen.Marks.
func (m marks) MarkAwake(ctx context.Context, conn *pgx.Conn) error {
	_, err := NewFunctions(conn).MarkAwake(ctx, m.id, m.names)
	return err
}

// OpenWriters implements listen.Marks.
func (m marks) OpenWriters(ctx context.Context, conn *pgx.Conn, writers []int64) ([]int64, error) {
	return NewFunctions(conn).OpenWriters(ctx, writers)
}

// hear gets each notification, and nil if notifications may have been missed.
func (w *Worker) hear(n *pgconn.Notification) {
	switch {
	case n == nil || n.Channel == channelReady && slices.Contains(w.names, n.Payload):
		signal(w.wake)
	case n.Channel == channelCancelled:
		if id, err := uuid.Parse(n.Payload); err == nil {
			w.cancelTask(id, 0, errCancelled)
		}
	}
}
