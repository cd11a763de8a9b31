package rabbitmq

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/pgtasker/pgtasker/messaging"
)

// session is one connection, from login to loss, with a channel for sending and one for receiving.
type session struct {
	number int64
	conn   *amqp.Connection
	// sending is held while messages are sent and confirmed. returns has the messages that no queue took.
	sending sync.Mutex
	out     *amqp.Channel
	returns chan amqp.Return
	// calling is held during calls on the channel that wait for an answer: it does not tell the answers apart.
	calling sync.Mutex
	in      *amqp.Channel
	holds   holds
	// alarm is closed by the broker's word that it takes messages again.
	alarm gate
	// lost is closed when the session has ended.
	lost chan struct{}
}

// connect opens a session and creates the queues.
func (q *queue) connect(ctx context.Context) (*session, error) {
	conn, err := q.config.dial(ctx)
	if err != nil {
		return nil, err
	}
	q.sessions++
	s := &session{
		number: q.sessions, conn: conn, lost: make(chan struct{}), returns: make(chan amqp.Return, messaging.MaxBatch),
	}
	if err := s.prepare(q.config); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

func (s *session) prepare(config Config) (err error) {
	if s.out, err = s.conn.Channel(); err != nil {
		return err
	}
	if err = declare(s.out, config.Config); err != nil {
		return err
	}
	if err = s.out.Confirm(false); err != nil {
		return err
	}
	s.out.NotifyReturn(s.returns)
	s.in, err = s.conn.Channel()
	return err
}

// close ends the connection. The broker gives back the messages that were received over it.
func (s *session) close() error {
	s.holds.drop()
	err := s.conn.CloseDeadline(time.Now().Add(closeWithin))
	if errors.Is(err, amqp.ErrClosed) {
		return nil
	}
	return err
}

// declare creates the queue and that of its dead letters, or finds that they are there.
func declare(channel *amqp.Channel, config messaging.Config) error {
	arguments := amqp.Table{"x-queue-type": "quorum"}
	// If no limit is set, RabbitMQ 4 applies its own limit, which is 20.
	unlimited := amqp.Table{"x-queue-type": "quorum", "x-delivery-limit": int64(math.MaxInt32)}
	if config.MaxDeliveries > 0 {
		if err := declareOne(channel, messaging.DeadLetters(config.Name), unlimited, config.Existing); err != nil {
			return err
		}
		// The broker counts deliveries after the first. A message leaves the queue when that of its dead letters has it.
		arguments["x-delivery-limit"] = int64(config.MaxDeliveries - 1)
		arguments["x-dead-letter-exchange"] = ""
		arguments["x-dead-letter-routing-key"] = messaging.DeadLetters(config.Name)
		arguments["x-dead-letter-strategy"] = "at-least-once"
		arguments["x-overflow"] = "reject-publish"
	} else {
		arguments = unlimited
	}
	return declareOne(channel, config.Name, arguments, config.Existing)
}

func declareOne(channel *amqp.Channel, name string, arguments amqp.Table, existing bool) (err error) {
	if existing {
		_, err = channel.QueueDeclarePassive(name, true, false, false, false, arguments)
	} else {
		_, err = channel.QueueDeclare(name, true, false, false, false, arguments)
	}
	var refused *amqp.Error
	if errors.As(err, &refused) && refused.Code == amqp.PreconditionFailed {
		return fmt.Errorf("queue %q is there with another configuration (limits cannot be changed; see MaxDeliveries): %w: %w", name, messaging.ErrInvalid, err)
	}
	if err != nil {
		return fmt.Errorf("open queue %q: %w", name, err)
	}
	return nil
}

// gate is open, or closed until it opens again.
type gate struct {
	mu   sync.Mutex
	open chan struct{} // nil if it is open
}

func (g *gate) set(shut bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case shut && g.open == nil:
		g.open = make(chan struct{})
	case !shut && g.open != nil:
		close(g.open)
		g.open = nil
	}
}

// opened returns a channel that is closed when the gate is open, nil if it is.
func (g *gate) opened() <-chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.open
}
