package template

import (
	"encoding/json"
	"time"

	"github.com/pgtasker/pgtasker/internal/span"
)

// Await is one alternative of a step's wait. It has one of Signal, Event, For and Until.
type Await struct {
	// Signal is the name of a signal, which tasker.send_signal sends.
	Signal string `json:"signal,omitempty"`
	// Event is the name of an event of the namespace, which tasker.emit_event emits to every step that waits for it.
	Event string `json:"event,omitempty"`
	// Key is the key of the event: a text, or a jsonpath of the task's context that has one, such as $.order. If empty, the wait is for
	// events without a key.
	Key string `json:"key,omitempty"`
	// LookBack is how long before the wait began an event may have been emitted, 60 seconds if empty.
	LookBack span.Span `json:"look_back,omitempty"`
	// For is how long the step waits from the moment at which it becomes ready: a number of seconds, or a number with a unit, such as 90s,
	// 30m, 12h, 3d, 2w.
	For span.Span `json:"for,omitempty"`
	// Until is the time at which the wait ends: a time with its offset, such as 2026-12-24T18:00:00Z, or a jsonpath of the task's context
	// that has one, such as $.ship_at.
	Until string `json:"until,omitempty"`
	// When is a jsonpath predicate on the payload of the signal or event, any payload if empty.
	When string `json:"when,omitempty"`
	// Schema is the required form of the payload, as far as JSON Schema's type, properties, required, enum, minimum,
	// maximum, maxLength and items say it, any if empty.
	Schema json.RawMessage `json:"schema,omitempty"`
}

// Seconds returns d in the form that the fields of a template take.
func Seconds(d time.Duration) span.Span { return span.Seconds(d) }
