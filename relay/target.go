package relay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/pgtasker/pgtasker/executor"

	"github.com/jackc/pgx/v5"

	"github.com/pgtasker/pgtasker/messaging"
	"github.com/pgtasker/pgtasker/messaging/pgmq"
)

// Target is where the events of one subscription go.
type Target interface {
	// Deliver delivers events, and returns how many of the first ones were. An error that is [Permanent] gives up the
	// next one at once. After any other, delivery is tried again.
	Deliver(ctx context.Context, events []executor.FeedEvent) (delivered int, err error)
	Close() error
}

// Open opens the target of a subscription. target is the target's description in the database: {"url": …} of a webhook,
// {"queue": …} of a queue.
type Open func(ctx context.Context, subscription string, target json.RawMessage) (Target, error)

// permanent marks the error of an event that can never be delivered.
func permanent(err error) error { return permanentError{err} }

type permanentError struct{ error }

func (e permanentError) Unwrap() error { return e.error }

// Queue returns a target that sends to a queue of any broker, with the event's UUID as the message's ID. It closes the
// queue.
func Queue(queue messaging.Queue) Target { return queueTarget{queue} }

type queueTarget struct{ queue messaging.Queue }

func (t queueTarget) Deliver(ctx context.Context, events []executor.FeedEvent) (int, error) {
	messages, err := messagesOf(events)
	if err != nil {
		return 0, err
	}
	if err := t.queue.Send(ctx, messages...); err != nil {
		if len(events) == 1 && errors.Is(err, messaging.ErrInvalid) {
			err = permanent(err)
		}
		return 0, err
	}
	return len(events), nil
}

func (t queueTarget) Close() error { return t.queue.Close() }

func messagesOf(events []executor.FeedEvent) ([]messaging.Message, error) {
	messages := make([]messaging.Message, len(events))
	for i, event := range events {
		body, err := bodyOf(event)
		if err != nil {
			return nil, err
		}
		messages[i] = messaging.Message{ID: event.EventUUID.String(), Body: body}
	}
	return messages, nil
}

// bodyOf is an event as targets get it: type, timestamp, and the event as data.
func bodyOf(event executor.FeedEvent) (json.RawMessage, error) {
	type data struct {
		executor.FeedEvent
		// The place is for the reader only.
		Place *struct{} `json:"place,omitempty"`
	}
	return json.Marshal(struct {
		Type      string `json:"type"`
		Timestamp string `json:"timestamp"`
		Data      data   `json:"data"`
	}{
		Type: event.Kind + "." + snake(event.Event), Timestamp: event.HappenedAt.UTC().Format("2006-01-02T15:04:05.000000Z"),
		Data: data{FeedEvent: event},
	})
}

// snake is the name of an event in lower case: enqueue_for_orchestration.
func snake(name string) string {
	var out []byte
	for i := range len(name) {
		c := name[i]
		if 'A' <= c && c <= 'Z' {
			if i > 0 {
				out = append(out, '_')
			}
			c += 'a' - 'A'
		}
		out = append(out, c)
	}
	return string(out)
}

// transactional is a target in the same database: a delivery is acknowledged in the same transaction, so it
// is delivered once.
type transactional interface {
	deliverIn(ctx context.Context, tx pgx.Tx, events []executor.FeedEvent) error
}

// pgmqTarget is a queue of pgmq in the same database.
type pgmqTarget struct{ queue string }

func openPgmq(_ context.Context, _ string, target json.RawMessage) (Target, error) {
	var config struct{ Queue string }
	if err := json.Unmarshal(target, &config); err != nil {
		return nil, fmt.Errorf("target: %w", err)
	}
	return pgmqTarget{config.Queue}, nil
}

func (t pgmqTarget) deliverIn(ctx context.Context, tx pgx.Tx, events []executor.FeedEvent) error {
	messages, err := messagesOf(events)
	if err != nil {
		return err
	}
	return pgmq.Send(ctx, tx, t.queue, messages...)
}

func (pgmqTarget) Deliver(context.Context, []executor.FeedEvent) (int, error) {
	return 0, errors.New("delivered in a transaction only")
}

func (pgmqTarget) Close() error { return nil }
