package serve

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/direct"
)

var eventOperations = group(
	"Broadcasts",
	write(http.MethodPost, "/v1/events", "emitEvent", "Emit an event to all steps of a namespace that wait for it", emitEvent).
		and("A broadcast. Steps that wait for its name and key take it, and so do those that begin to wait a moment later and look back far "+
			"enough. Workers deliver it after the answer. Repeated: the idempotency key is known, and nothing changed."),
	tryEvent(),
	read("/v1/events/{event_uuid}", "getEvent", "Get an event, and how many steps took it",
		func(ctx context.Context, e *direct.Executor, in eventID) (gen.BroadcastDetail, error) {
			return e.GetEvent(ctx, in.EventUUID)
		}),
	paged("/v1/events", "listEvents", "List the events that are kept, newest first", listEvents,
		func(_ eventFilter, last gen.BroadcastDetail) cursor {
			return afterInstant("listEvents", last.SentAt, last.EventUUID)
		}).sorted("list_events").
		and("Every filter that is given applies; an empty key is for events without one."),
)

func tryEvent() operation {
	o := list("/v1/events/test", "testEvent", "Say which tasks an event would start and cancel, without emitting it",
		func(ctx context.Context, e *direct.Executor, in triedEvent) ([]gen.EventEffect, error) {
			return e.Functions.TestEvent(ctx, sqlfn.TestEventParams(in))
		}).
		and("An effect for each start_on and cancel_on of a template of the namespace that names the event. Steps that wait for it are not in the answer.")
	o.method = http.MethodPost
	return o
}

type triedEvent struct {
	Namespace string          `json:"namespace" required:"true" doc:"The namespace of the templates."`
	Name      string          `json:"name" required:"true" doc:"The event's name."`
	Key       string          `json:"key,omitempty" doc:"What it is about, such as an order's number; none if it is left out."`
	Payload   json.RawMessage `json:"payload,omitempty" doc:"Any value; {} if it is left out."`
}

type eventID struct {
	EventUUID uuid.UUID `path:"event_uuid" json:"-" doc:"The event's UUID."`
}

type event struct {
	IdempotencyHeader *string         `header:"Idempotency-Key" json:"-" doc:"The same as idempotency_key."`
	Namespace         string          `json:"namespace" required:"true" doc:"The namespace whose steps it is for."`
	Name              string          `json:"name" required:"true" doc:"The event's name."`
	Key               string          `json:"key,omitempty" doc:"What it is about, such as an order's number; none if it is left out."`
	Payload           json.RawMessage `json:"payload,omitempty" doc:"Any value: each step that takes the event has it in its result."`
	IdempotencyKey    *string         `json:"idempotency_key,omitempty" doc:"What makes a repeat the same event, such as the number of a webhook."`
}

func (in event) idempotencyKey() *string { return cmp.Or(in.IdempotencyHeader, in.IdempotencyKey) }

func emitEvent(ctx context.Context, e *direct.Executor, in event) (gen.EmittedEvent, error) {
	key := signal{Key: in.IdempotencyHeader, IdempotencyKey: in.IdempotencyKey}
	if err := key.settle(); err != nil {
		return gen.EmittedEvent{}, err
	}
	return e.EmitEvent(ctx, executor.Event{
		Namespace: in.Namespace, Name: in.Name, Key: in.Key, Payload: in.Payload, IdempotencyKey: value(key.IdempotencyKey),
	})
}

type eventFilter struct {
	paging
	Namespace *string `query:"namespace" doc:"Of this namespace."`
	Name      *string `query:"name" doc:"Of this name."`
	Key       *string `query:"key" doc:"With this key; empty for events without one."`
}

func listEvents(ctx context.Context, e *direct.Executor, in eventFilter) ([]gen.BroadcastDetail, error) {
	filter := executor.EventFilter{Namespace: value(in.Namespace), Name: value(in.Name), Key: in.Key, Limit: in.Limit}
	at, id, err := in.Cursor.instant("listEvents")
	if err != nil {
		return nil, err
	}
	if in.Cursor != nil {
		filter.Before = &gen.BroadcastDetail{SentAt: at, EventUUID: id}
	}
	return e.ListEvents(ctx, filter)
}
