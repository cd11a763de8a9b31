package pgmq

import (
	"context"
	"sync"
	"time"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/listen"
	"github.com/pgtasker/pgtasker/internal/pgerr"
	"github.com/pgtasker/pgtasker/messaging"
)

// Receive implements [messaging.Queue].
func (q *queue) Receive(ctx context.Context, most int) ([]messaging.Delivery, error) {
	if err := messaging.CheckBatch(most); err != nil {
		return nil, err
	}
	params := q.receiving(most)
	for {
		rung := q.bell.heard()
		switch {
		case q.closed.Err() != nil:
			return nil, messaging.ErrClosed
		case ctx.Err() != nil:
			return nil, ctx.Err()
		}
		rows, err := q.read(ctx, params)
		switch {
		case ctx.Err() != nil && err != nil:
			return nil, ctx.Err()
		case err != nil && pgerr.Of(err) != pgerr.Passing:
			return nil, err
		case err != nil:
			q.config.Logger.WarnContext(ctx, "receiving failed, trying again", "queue", q.name, "error", err)
			if listen.NoPlace(err) { // The listener may hold the login's last connection.
				select {
				case q.giveWay <- struct{}{}:
				default:
				}
			}
		case len(rows) > 0:
			deliveries := make([]messaging.Delivery, len(rows))
			for i, row := range rows {
				deliveries[i] = delivery(row)
			}
			return deliveries, nil
		}
		q.pause(ctx, rung)
	}
}

// readWithin bounds a query, so that a server that has vanished does not hold a receiver for ever. stopWithin is what is left of it
// when the caller stops waiting.
const (
	readWithin = 30 * time.Second
	stopWithin = 5 * time.Second
)

// read receives the messages that are there. A query that has begun goes on when the caller stops waiting: it may have
// taken messages, which would stay hidden until their lease ends.
func (q *queue) read(ctx context.Context, params sqlfn.PgmqReceiveMessagesParams) ([]gen.QueueMessage, error) {
	acquiring, cancel := context.WithTimeout(ctx, readWithin)
	defer cancel()
	conn, err := q.pool.Acquire(acquiring)
	if err != nil {
		return nil, err
	}
	defer conn.Release()
	reading, end := context.WithTimeout(context.WithoutCancel(ctx), readWithin)
	defer end()
	defer context.AfterFunc(ctx, func() {
		timer := time.NewTimer(stopWithin)
		defer timer.Stop()
		select {
		case <-timer.C:
			end()
		case <-reading.Done():
		}
	})()
	return executor.New(conn).PgmqReceiveMessages(reading, params)
}

// pause waits for the bell, or as long as a poll interval.
func (q *queue) pause(ctx context.Context, rung <-chan struct{}) {
	timer := time.NewTimer(q.config.PollInterval)
	defer timer.Stop()
	select {
	case <-rung:
	case <-timer.C:
	case <-ctx.Done():
	case <-q.closed.Done():
	}
}

func (q *queue) receiving(most int) sqlfn.PgmqReceiveMessagesParams {
	limit, seconds := int32(most), int32(q.config.Lease/time.Second)
	params := sqlfn.PgmqReceiveMessagesParams{QueueName: q.name, Limit: limit, VtSeconds: &seconds}
	if q.config.MaxDeliveries > 0 {
		reads, dead := int32(q.config.MaxDeliveries), messaging.DeadLetters(q.name)
		params.MaxReads, params.DeadQueue = reads, dead
	}
	return params
}

// bell wakes all goroutines that have asked to hear it.
type bell struct {
	mu   sync.Mutex
	next chan struct{}
}

// heard returns a channel that is closed when the bell rings from now on.
func (b *bell) heard() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.next == nil {
		b.next = make(chan struct{})
	}
	return b.next
}

func (b *bell) ring() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.next != nil {
		close(b.next)
		b.next = nil
	}
}
