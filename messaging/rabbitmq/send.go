package rabbitmq

import (
	"context"
	"errors"
	"fmt"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/pgtasker/pgtasker/messaging"
)

// Send implements [messaging.Queue]. While there is no connection, or the broker is short of memory or disk, it waits.
func (q *queue) Send(ctx context.Context, messages ...messaging.Message) error {
	messages, err := messaging.Prepare(messages)
	if err != nil {
		return err
	}
	s, err := q.session(ctx)
	if err != nil {
		return err
	}
	if err := q.pass(ctx, s); err != nil {
		return err
	}
	s.sending.Lock()
	defer s.sending.Unlock()
	return s.send(ctx, q.config.Name, messages)
}

// pass waits while the broker takes no messages: it reads nothing then, and a message would be stuck in the socket.
func (q *queue) pass(ctx context.Context, s *session) error {
	opened := s.alarm.opened()
	if opened == nil {
		return nil
	}
	select {
	case <-opened:
		return nil
	case <-s.lost:
		return fmt.Errorf("the connection was lost: %w", amqp.ErrClosed)
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *session) send(ctx context.Context, queue string, messages []messaging.Message) error {
	confirmations := make([]*amqp.DeferredConfirmation, len(messages))
	for i, m := range messages {
		var err error
		// Mandatory: a message that no queue takes comes back instead of being confirmed and dropped.
		confirmations[i], err = s.out.PublishWithDeferredConfirmWithContext(ctx, "", queue, true, false, publishing(m))
		if err != nil {
			return fmt.Errorf("message %d of %d was not sent: %w", i+1, len(messages), err)
		}
	}
	for i, c := range confirmations {
		taken, err := c.WaitContext(ctx)
		if err == nil && !taken {
			err = errors.New("the broker has not confirmed it")
		}
		if err != nil {
			return fmt.Errorf("message %d of %d may be lost: %w", i+1, len(messages), err)
		}
	}
	// A message comes back before its confirmation.
	var returned error
	for range len(s.returns) {
		r := <-s.returns
		returned = fmt.Errorf("queue %q does not exist: %s", queue, r.ReplyText)
	}
	return returned
}

func publishing(m messaging.Message) amqp.Publishing {
	headers := amqp.Table{}
	for name, value := range m.Headers {
		headers[own+name] = value
	}
	return amqp.Publishing{
		MessageId: m.ID, Body: m.Body, Headers: headers, ContentType: "application/json", DeliveryMode: amqp.Persistent,
	}
}

// own is before the names of the sender's headers: the broker writes others, x-death and x-delivery-count.
const own = "tasker."
