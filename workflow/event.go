package workflow

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/template"
)

// Source is what a step may wait for with a payload of type P: a [Signal], an [Event], or an [EventWithKey].
type Source[P any] interface {
	awaited(Waiting) template.Await
	carries(P)
}

func (s Signal[P]) awaited(w Waiting) template.Await {
	return template.Await{Signal: string(s), When: w.When, Schema: w.Schema}
}

func (s Signal[P]) carries(P) {}

// Event is the name of an event whose payload is a P. Every step of its namespace that waits for it takes it; one is made
// with [Await]:
//
//	var paid = workflow.Event[Payment]("paid")
//
//	payment := workflow.Await(order, "payment", paid.Key("$.order"), workflow.Waiting{LookBack: time.Hour}, check)
type Event[P any] string

// EventWithKey is an event about one thing, such as one order. See [Event.Key].
type EventWithKey[P any] struct {
	name, key string
}

// Key is the event with a key: a text, or a jsonpath of the task's context that has one, such as $.order.
func (e Event[P]) Key(key string) EventWithKey[P] { return EventWithKey[P]{string(e), key} }

func (e Event[P]) awaited(w Waiting) template.Await { return e.Key("").awaited(w) }

func (e Event[P]) carries(P) {}

func (e EventWithKey[P]) awaited(w Waiting) template.Await {
	await := template.Await{Event: e.name, Key: e.key, When: w.When, Schema: w.Schema}
	if w.LookBack > 0 {
		await.LookBack = template.Seconds(w.LookBack)
	}
	return await
}

func (e EventWithKey[P]) carries(P) {}

// Emit emits the event to a namespace, in db's transaction if it is one, as [executor.SqlFunctionExecutor.EmitEvent] does.
// idempotencyKey makes two events the same; with an empty one each call emits another event.
func (e Event[P]) Emit(
	ctx context.Context, db executor.DBTX, namespace string, payload P, idempotencyKey string,
) (executor.EmittedEvent, error) {
	return e.Key("").Emit(ctx, db, namespace, payload, idempotencyKey)
}

// Emit emits the event with this key. See [Event.Emit].
func (e EventWithKey[P]) Emit(
	ctx context.Context, db executor.DBTX, namespace string, payload P, idempotencyKey string,
) (executor.EmittedEvent, error) {
	raw, err := json.Marshal(payload)
	if err != nil {
		return executor.EmittedEvent{}, fmt.Errorf("event %q: %w", e.name, err)
	}
	return executor.New(db).EmitEvent(ctx, executor.Event{
		Namespace: namespace, Name: e.name, Key: e.key, Payload: raw, IdempotencyKey: idempotencyKey,
	})
}
