package tasklib

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// listen wakes the claims when a task of the worker's names is submitted, and ends the contexts of tasks that
// are cancelled, on a connection of its own. While there is none, polling and the renewal of locks do both.
func (w *Worker) listen(ctx context.Context) {
	for delay := firstDelay; ctx.Err() == nil; delay = min(2*delay, maxDelay) {
		began := time.Now()
		if err := w.hear(ctx); ctx.Err() == nil {
			if time.Since(began) > maxDelay {
				delay = firstDelay
			}
			w.logger.WarnContext(ctx, "listening was interrupted", "error", err, "again_in", delay)
			pause(ctx, delay)
		}
	}
}

// hear listens until something fails.
func (w *Worker) hear(ctx context.Context) error {
	var conn *pgx.Conn
	if err := within(ctx, func(ctx context.Context) (err error) {
		conn, err = pgx.ConnectConfig(ctx, w.client.pool.Config().ConnConfig)
		return err
	}); err != nil {
		return err
	}
	defer func() { _ = within(context.WithoutCancel(ctx), conn.Close) }()
	for _, channel := range []string{"tasklib_ready", "tasklib_cancelled"} {
		if _, err := conn.Exec(ctx, "listen "+channel); err != nil {
			return err
		}
	}
	// What was submitted before was announced to nobody.
	signal(w.wake)
	for {
		n, err := conn.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		switch n.Channel {
		case "tasklib_ready":
			if slices.Contains(w.names, n.Payload) {
				signal(w.wake)
			}
		case "tasklib_cancelled":
			if id, err := uuid.Parse(n.Payload); err == nil {
				w.cancelTask(id, 0, ErrCancelled)
			}
		}
	}
}
