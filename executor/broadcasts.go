package executor

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/pgtasker/pgtasker/gen"
)

// Event is an event for all steps of a namespace that wait for it. Namespace and Name must be set.
type Event struct {
	Namespace, Name string
	// Key tells events of one name apart, such as the number of an order. Default: none, for waits without a key.
	Key string
	// Payload is any JSON value of at most 16 KiB (the setting event_bytes). The result of each step that takes the event contains the
	// payload. Default: {}.
	Payload json.RawMessage
	// IdempotencyKey recognises a repeated event, such as the number of a webhook. Two calls with the same namespace, name, key and
	// IdempotencyKey emit one event. Default: none, so that each call emits another event.
	IdempotencyKey string
}

// EmitEvent emits an event in the transaction of the caller. Every step of the namespace that waits for the event's name and key takes the
// event. A step that begins to wait later takes it, too, if the step looks back far enough. EmitEvent returns at once. Workers and
// orchestrators deliver the event after the transaction has committed. The error is ErrNotFound if there is no such namespace, and
// ErrInvalid or ErrTooLarge for an event that is malformed or too large.
//
// On a pool, concurrent calls for one namespace share a call of the database, like calls of [SqlFunctionExecutor.CreateTask].
func (e *SqlFunctionExecutor) EmitEvent(ctx context.Context, event Event) (gen.EmittedEvent, error) {
	if event.Payload == nil {
		event.Payload = json.RawMessage("{}")
	} else if err := checkJSON(event.Payload); err != nil {
		return gen.EmittedEvent{}, fmt.Errorf("payload of event %q: %w", event.Name, err)
	}
	return travel(ctx, e, &emissions, sharingEvent, event, e.emitEvent)
}

// EventFilter says which events to list. The zero value lists all events.
type EventFilter struct {
	// Namespace and Name that an event must have. Default: any.
	Namespace, Name string
	// Key that an event must have. "" stands for events without a key. Default: any.
	Key *string
	// Before is the last event of the preceding page. Default: the first page.
	Before *gen.BroadcastDetail
	// Limit is how many events are returned at most. Default: all events, but 100 events for ListEvents.
	Limit int32
}

// ListEvents returns the events that the database still keeps, the newest first, each with the number of steps that have taken the event.
func (e *SqlFunctionExecutor) ListEvents(ctx context.Context, filter EventFilter) ([]gen.BroadcastDetail, error) {
	params := gen.ListEventsParams{
		Namespace: optional(filter.Namespace), Name: optional(filter.Name), Key: filter.Key, LimitCount: filter.Limit,
	}
	if params.LimitCount == 0 {
		params.LimitCount = 100
	}
	if filter.Before != nil {
		params.BeforeAt, params.BeforeUUID = &filter.Before.SentAt, &filter.Before.EventUUID
	}
	rows, err := e.q.ListEvents(ctx, params)
	return rows, err
}
