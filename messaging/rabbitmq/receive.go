package rabbitmq

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/google/uuid"
	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/pgtasker/pgtasker/messaging"
)

// Receive implements [messaging.Queue].
func (q *queue) Receive(ctx context.Context, most int) ([]messaging.Delivery, error) {
	if err := messaging.CheckBatch(most); err != nil {
		return nil, err
	}
	for {
		s, err := q.session(ctx)
		if err != nil {
			return nil, err
		}
		got := q.receive(ctx, s, most)
		if len(got) > 0 {
			return q.take(s, got), nil
		}
	}
}

// receive consumes until there is something, the session is lost, or the caller or the queue ends.
func (q *queue) receive(ctx context.Context, s *session, most int) []amqp.Delivery {
	consumer := uuid.NewString()
	incoming, err := s.consume(q.config.Name, consumer, most)
	if err != nil {
		q.abandon(ctx, s)
		return nil
	}
	var got []amqp.Delivery
	select {
	case d, ok := <-incoming:
		if !ok { // The broker has cancelled the consumer: the queue was deleted, or its connection is lost.
			q.abandon(ctx, s)
			return nil
		}
		got = append(got, d)
	case <-ctx.Done():
	case <-q.closed.Done():
	}
	// From now on only messages come that were on their way, at most as many as were asked for.
	if err := s.cancel(consumer); err != nil {
		q.abandon(ctx, s)
		return nil
	}
	for d := range incoming {
		got = append(got, d)
	}
	return got
}

// consume begins a consumer that gets at most so many messages.
func (s *session) consume(queue, consumer string, most int) (<-chan amqp.Delivery, error) {
	s.calling.Lock()
	defer s.calling.Unlock()
	if err := s.in.Qos(most, 0, false); err != nil {
		return nil, err
	}
	return s.in.Consume(queue, consumer, false, false, false, false, nil)
}

func (s *session) cancel(consumer string) error {
	s.calling.Lock()
	defer s.calling.Unlock()
	return s.in.Cancel(consumer, false)
}

// abandon ends a session that cannot receive, so that the broker gives back the messages under way. The next one creates
// the queue again. It waits until the session has ended.
func (q *queue) abandon(ctx context.Context, s *session) {
	if err := s.close(); err != nil {
		q.config.Logger.Debug("closing a connection failed", "queue", q.config.Name, "error", err)
	}
	select {
	case <-s.lost:
	case <-ctx.Done():
	case <-q.closed.Done():
	}
}

// take makes deliveries of received messages, and begins their leases.
func (q *queue) take(s *session, got []amqp.Delivery) []messaging.Delivery {
	deliveries := make([]messaging.Delivery, len(got))
	for i, d := range got {
		deliveries[i] = delivery(s, d)
		s.holds.begin(d.DeliveryTag, q.config.Lease, func() { _ = s.in.Nack(d.DeliveryTag, false, true) })
	}
	return deliveries
}

func delivery(s *session, d amqp.Delivery) messaging.Delivery {
	m := messaging.Delivery{Attempt: 1, Receipt: fmt.Sprintf("%d/%d", s.number, d.DeliveryTag)}
	m.ID, m.Body = d.MessageId, json.RawMessage(d.Body)
	if count, ok := d.Headers["x-delivery-count"].(int64); ok {
		m.Attempt += int(count)
	}
	for name, value := range d.Headers {
		text, ok := value.(string)
		name, found := strings.CutPrefix(name, own)
		// Other programs' headers come, too, but not the broker's own.
		if !ok || !found && strings.HasPrefix(name, "x-") {
			continue
		}
		if m.Headers == nil {
			m.Headers = map[string]string{}
		}
		m.Headers[name] = text
	}
	return m
}
