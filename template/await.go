package template

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"
)

// Await is one alternative of a step's wait. It has one of Signal, Event, For and Until.
type Await struct {
	// Signal is the name of a signal, which tasker.send_signal sends.
	Signal string `json:"signal,omitempty"`
	// Event is the name of an event of the namespace, which tasker.emit_event emits to every step that waits for it.
	Event string `json:"event,omitempty"`
	// Key is the key of the event: a text, or a jsonpath of the task's context that has one, such as $.order. Empty is for
	// events without a key.
	Key string `json:"key,omitempty"`
	// LookBack is how long before the wait began an event may have been emitted, 60 seconds if empty.
	LookBack Duration `json:"look_back,omitempty"`
	// For is how long the step waits, from when it becomes ready.
	For Duration `json:"for,omitempty"`
	// Until is until when it waits: a time with its offset, such as 2026-12-24T18:00:00Z, or a jsonpath of the
	// task's context that has one, such as $.ship_at.
	Until string `json:"until,omitempty"`
	// When is a jsonpath predicate on the payload of the signal or event, any payload if empty.
	When string `json:"when,omitempty"`
	// Schema is the required form of the payload, as far as JSON Schema's type, properties, required, enum, minimum,
	// maximum, maxLength and items say it, any if empty.
	Schema json.RawMessage `json:"schema,omitempty"`
}

// Alternatives are the alternatives of a step's wait. In a file they are a list, or a single object.
type Alternatives []Await

// UnmarshalJSON reads both forms: a list, or an object.
func (a *Alternatives) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '{' {
		*a = make(Alternatives, 1)
		return json.Unmarshal(text, &(*a)[0])
	}
	type list Alternatives
	return json.Unmarshal(text, (*list)(a))
}

// Duration is a number of seconds, or a number with a unit: 90s, 30m, 12h, 3d (of 86,400 seconds each), 2w. Empty is
// none.
type Duration string

// Seconds returns d as a Duration.
func Seconds(d time.Duration) Duration {
	return Duration(strconv.FormatFloat(d.Seconds(), 'f', -1, 64))
}

// Length returns a Duration as Go has it, 0 if it is empty.
func (d Duration) Length() (time.Duration, error) {
	if d == "" {
		return 0, nil
	}
	number, unit := string(d), time.Second
	if i := len(number) - 1; number[i] > '9' {
		unit = map[byte]time.Duration{
			's': time.Second, 'm': time.Minute, 'h': time.Hour, 'd': 24 * time.Hour, 'w': 7 * 24 * time.Hour,
		}[number[i]]
		number = number[:i]
	}
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || unit == 0 {
		return 0, fmt.Errorf("%q is not a duration: a number of seconds, or one with a unit, such as 90s, 12h or 3d", string(d))
	}
	return time.Duration(n * float64(unit)), nil
}

// MarshalJSON writes seconds as a number, and all else as a text.
func (d Duration) MarshalJSON() ([]byte, error) {
	if n := json.Number(d); json.Valid([]byte(n)) {
		if _, err := n.Float64(); err == nil {
			return []byte(n), nil
		}
	}
	return json.Marshal(string(d))
}

// UnmarshalJSON reads a number or a text.
func (d *Duration) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '"' {
		return json.Unmarshal(text, (*string)(d))
	}
	var n json.Number
	err := json.Unmarshal(text, &n)
	*d = Duration(n)
	return err
}
