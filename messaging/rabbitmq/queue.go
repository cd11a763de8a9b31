package rabbitmq

import (
	"context"
	"sync"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/pgtasker/pgtasker/messaging"
)

// queue is a queue of a RabbitMQ. It implements [messaging.Queue]. It keeps a connection of its own.
type queue struct {
	config Config
	// close ends closed, the context of the open queue. keeper is the goroutine that connects.
	closed   context.Context
	close    context.CancelFunc
	keeper   sync.WaitGroup
	sessions int64

	mu      sync.Mutex
	current *session      // nil while there is no connection
	changed chan struct{} // closed when current changes
}

var _ messaging.Queue = (*queue)(nil)

// Open connects to the broker and returns a queue, which it creates if it is not there, with that of its dead letters.
// To be closed by [messaging.Queue.Close].
func Open(ctx context.Context, config Config) (messaging.Queue, error) {
	config, err := config.complete()
	if err != nil {
		return nil, err
	}
	q := &queue{config: config, changed: make(chan struct{})}
	first, err := q.connect(ctx)
	if err != nil {
		return nil, err
	}
	q.closed, q.close = context.WithCancel(context.Background())
	q.set(first)
	q.keeper.Go(func() { q.keep(first) })
	return q, nil
}

// Close ends the connection. The broker gives back messages that were received and not acknowledged.
func (q *queue) Close() error {
	q.close()
	q.keeper.Wait()
	return nil
}

// keep attends a session until it is lost, and opens the next, until the queue is closed.
func (q *queue) keep(s *session) {
	for s != nil {
		why := q.attend(s)
		q.set(nil)
		close(s.lost)
		if err := s.close(); err != nil {
			q.config.Logger.Debug("closing a connection failed", "queue", q.config.Name, "error", err)
		}
		if q.closed.Err() != nil {
			return
		}
		q.config.Logger.Warn("the connection to RabbitMQ was lost", "queue", q.config.Name, "error", why)
		s = q.reconnect()
	}
}

// attend returns when a session has ended, and why.
func (q *queue) attend(s *session) error {
	ends := []chan *amqp.Error{
		s.conn.NotifyClose(make(chan *amqp.Error, 1)), s.out.NotifyClose(make(chan *amqp.Error, 1)),
		s.in.NotifyClose(make(chan *amqp.Error, 1)),
	}
	blockings := s.conn.NotifyBlocked(make(chan amqp.Blocking, 1))
	for {
		select {
		case b, ok := <-blockings:
			if !ok {
				return amqp.ErrClosed
			}
			s.alarm.set(b.Active)
			q.config.Logger.Warn("RabbitMQ takes no messages or takes them again", "queue", q.config.Name, "blocked", b.Active, "reason", b.Reason)
		case why := <-ends[0]:
			return reason(why)
		case why := <-ends[1]:
			return reason(why)
		case why := <-ends[2]:
			return reason(why)
		case <-q.closed.Done():
			return messaging.ErrClosed
		}
	}
}

// reason makes an error of the end of a connection. nil stands for an orderly end.
func reason(why *amqp.Error) error {
	if why == nil {
		return amqp.ErrClosed
	}
	return why
}

// reconnect returns the next session, or nil when the queue is closed.
func (q *queue) reconnect() *session {
	for delay := firstReconnectDelay; ; delay = min(2*delay, q.config.MaxReconnectDelay) {
		timer := time.NewTimer(delay)
		select {
		case <-timer.C:
		case <-q.closed.Done():
			timer.Stop()
			return nil
		}
		s, err := q.connect(q.closed)
		if err == nil {
			q.set(s)
			return s
		}
		q.config.Logger.Warn("connecting to RabbitMQ failed, trying again", "queue", q.config.Name, "error", err)
	}
}

// set makes a session the current one and wakes the callers that wait for it.
func (q *queue) set(s *session) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.current = s
	close(q.changed)
	q.changed = make(chan struct{})
}

// session returns the current session, and waits for one if there is no connection.
func (q *queue) session(ctx context.Context) (*session, error) {
	for {
		q.mu.Lock()
		s, changed := q.current, q.changed
		q.mu.Unlock()
		switch {
		case q.closed.Err() != nil:
			return nil, messaging.ErrClosed
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case s != nil:
			return s, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
		case <-q.closed.Done():
		}
	}
}

// Depth implements [messaging.Queue].
func (q *queue) Depth(ctx context.Context) (int64, error) {
	s, err := q.session(ctx)
	if err != nil {
		return 0, err
	}
	// A channel of its own: an error of the broker closes the channel.
	channel, err := s.conn.Channel()
	if err != nil {
		return 0, err
	}
	state, err := channel.QueueDeclarePassive(q.config.Name, true, false, false, false, nil)
	if err != nil {
		return 0, err
	}
	return int64(state.Messages), channel.Close()
}
