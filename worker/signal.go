package worker

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/template"
)

// Source is something that a step can wait for: a [Signal], an [Event] or an [EventAbout], with a payload of type P.
type Source[P any] interface {
	// Await returns the source in the form of a template.
	Await() template.Await
	carries(P)
}

// Signal is the name of a signal to one task. The payload of the signal has the type P:
//
//	const approved = worker.Signal[Approval]("approved")
type Signal[P any] string

// Await implements [Source].
func (s Signal[P]) Await() template.Await { return template.Await{Signal: string(s)} }

func (s Signal[P]) carries(P) {}

// SendOptions say how a signal is sent or an event is emitted.
type SendOptions struct {
	// Key is an idempotency key, such as the number of a webhook. A repeated call with the same key sends no further signal or event.
	// Default: each call sends another signal or event.
	Key string
}

func (s Signal[P]) of(payload P, options []SendOptions) (executor.Signal, error) {
	raw, err := json.Marshal(payload)
	if err != nil {
		return executor.Signal{}, fmt.Errorf("signal %q: %w", string(s), err)
	}
	return executor.Signal{Name: string(s), Payload: raw, IdempotencyKey: lastOf(options).Key}, nil
}

func lastOf(options []SendOptions) (last SendOptions) {
	if len(options) > 0 {
		last = options[len(options)-1]
	}
	return last
}

// Send sends the signal to a task and says how it was delivered. If db is a transaction, the signal is sent in this transaction. The error
// is executor.ErrConflict if the task has ended.
func (s Signal[P]) Send(
	ctx context.Context, db executor.DBTX, task uuid.UUID, payload P, options ...SendOptions,
) (executor.Delivery, error) {
	signal, err := s.of(payload, options)
	if err != nil {
		return "", err
	}
	return executor.NewClient(db).Signals().Send(ctx, task, signal)
}

// SendByKey sends the signal to the task with the identity key of the request, and returns the task's UUID. If the task does not exist,
// SendByKey starts it. Package workflow makes the request: order.Request(input, workflow.StartOptions{Key: key}).
func (s Signal[P]) SendByKey(
	ctx context.Context, db executor.DBTX, request executor.TaskRequest, payload P, options ...SendOptions,
) (uuid.UUID, executor.Delivery, error) {
	signal, err := s.of(payload, options)
	if err != nil {
		return uuid.Nil, "", err
	}
	if request.IdentityKey == "" {
		return uuid.Nil, "", fmt.Errorf("signal %q: %w: the request has no key", string(s), executor.ErrInvalid)
	}
	start := executor.SignalStart{
		Context: request.Context, Version: request.Version, Priority: request.Priority, Tags: request.Tags,
		Initiator: request.Initiator, Headers: request.Headers, IdentityScope: request.IdentityScope,
	}
	if o := request; o.SourceSystem != "" || o.Reason != "" || !o.StartAt.IsZero() || !o.Deadline.IsZero() || o.Deferred ||
		o.IdentityTTL != 0 || o.Debounce != 0 || o.ThrottleLimit != 0 || o.TaskUUID != uuid.Nil || o.CorrelationID != uuid.Nil {
		return uuid.Nil, "", fmt.Errorf("signal %q: %w: a task that a signal starts has a key, a version, a context, a priority, "+
			"tags, an initiator, headers and the scope of its key, and no other option", string(s), executor.ErrInvalid)
	}
	key := executor.TaskKey{Namespace: request.Namespace, Name: request.Name, IdentityKey: request.IdentityKey}
	return executor.NewClient(db).Signals().SendByKey(ctx, key, signal, start)
}

// Event is the name of an event with a payload of type P. Every step of its namespace that waits for the event takes it:
//
//	const paid = worker.Event[Payment]("paid")
type Event[P any] string

// Await implements [Source].
func (e Event[P]) Await() template.Await { return template.Await{Event: string(e)} }

func (e Event[P]) carries(P) {}

// Emit emits the event to a namespace. If db is a transaction, the event is emitted in this transaction.
func (e Event[P]) Emit(
	ctx context.Context, db executor.DBTX, namespace string, payload P, options ...SendOptions,
) (gen.EmittedEvent, error) {
	return e.About("").Emit(ctx, db, namespace, payload, options...)
}

// About returns the event about one thing, such as one order. A step that waits for it gets only the events about this thing.
func (e Event[P]) About(thing string) EventAbout[P] { return EventAbout[P]{string(e), thing} }

// AboutPath returns the event about the thing that a jsonpath such as $.order finds in the task's context. Such an event can be awaited,
// but not emitted.
func (e Event[P]) AboutPath(path string) Source[P] { return EventAbout[P]{string(e), path} }

// EventAbout is an event about one thing. See [Event.About].
type EventAbout[P any] struct{ name, thing string }

// Await implements [Source].
func (e EventAbout[P]) Await() template.Await { return template.Await{Event: e.name, Key: e.thing} }

func (e EventAbout[P]) carries(P) {}

// Emit emits the event about this thing. See [Event.Emit].
func (e EventAbout[P]) Emit(
	ctx context.Context, db executor.DBTX, namespace string, payload P, options ...SendOptions,
) (gen.EmittedEvent, error) {
	raw, err := json.Marshal(payload)
	if err != nil {
		return gen.EmittedEvent{}, fmt.Errorf("event %q: %w", e.name, err)
	}
	return executor.NewClient(db).Signals().Emit(ctx, executor.Event{
		Namespace: namespace, Name: e.name, Key: e.thing, Payload: raw, IdempotencyKey: lastOf(options).Key,
	})
}
