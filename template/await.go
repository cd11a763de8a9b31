package template

import (
	"encoding/json"
	"time"

	"github.com/pgtasker/pgtasker/internal/span"
)

// Await is one alternative of a step's wait. Exactly one of Signal, Event, For and Until is set.
type Await struct {
	// Signal is the name of a signal, which tasker.send_signal sends.
	Signal string `json:"signal,omitempty"`
	// Event is the name of an event of the namespace, which tasker.emit_event emits to every step that waits for it.
	Event string `json:"event,omitempty"`
	// Key is the key of the event: a text, or a jsonpath such as $.order that finds a text in the task's context. If Key is empty, the step
	// waits for events without a key.
	Key string `json:"key,omitempty"`
	// LookBack is how long before the wait began an event may have been emitted. Default: 60 seconds.
	LookBack span.Span `json:"look_back,omitempty"`
	// For is how long the step waits after it became ready: a number of seconds, or a number with a unit, such as 90s, 30m, 12h, 3d, 2w.
	For span.Span `json:"for,omitempty"`
	// Until is the time at which the wait ends: a time with its offset, such as 2026-12-24T18:00:00Z, or a jsonpath such as $.ship_at that
	// finds such a time in the task's context.
	Until string `json:"until,omitempty"`
	// When is a jsonpath predicate that the payload of the signal or event must meet. If When is empty, any payload ends the wait.
	When string `json:"when,omitempty"`
	// Schema is a JSON Schema that the payload must fit. The keywords type, properties, required, enum, minimum, maximum, maxLength and
	// items are checked. If Schema is empty, any payload fits.
	Schema json.RawMessage `json:"schema,omitempty"`
}

// Seconds returns d in the form that the fields of a template take.
func Seconds(d time.Duration) span.Span { return span.Seconds(d) }
