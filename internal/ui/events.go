package ui

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"net/url"
	"strings"
	"time"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

type eventsPage struct {
	Namespace, Name string
	Spaces          []gen.TaskNamespace
	Events          []gen.BroadcastDetail
	Next, First     string
	Filtered        bool
}

// loadEvents shows the events that are kept, newest first.
func loadEvents(ctx context.Context, q *query) (page, error) {
	shown := eventsPage{Namespace: text(q.value("namespace")), Name: text(q.value("name"))}
	shown.Filtered = shown.Namespace+shown.Name != ""
	listed, limit := q.paged(ctx, pageSize)
	filter := executor.EventFilter{Namespace: shown.Namespace, Name: shown.Name, Limit: limit}
	v := q.r.URL.Query()
	if before := v.Get("before"); before != "" {
		id, err := parseUUID("before", before)
		if err != nil {
			return page{}, err
		}
		at, err := parseTime("at", v.Get("at"))
		if err != nil {
			return page{}, err
		}
		filter.Before = &gen.BroadcastDetail{EventUUID: id, SentAt: at}
		shown.First = with(q.r.URL, "before", "", "at", "")
	}
	var err error
	if shown.Events, err = q.ListEvents(listed, filter); err != nil {
		return page{}, err
	}
	if len(shown.Events) > pageSize {
		shown.Events = shown.Events[:pageSize]
		last := shown.Events[pageSize-1]
		shown.Next = q.next(pageSize, "before", last.EventUUID.String(), "at", last.SentAt.Format(time.RFC3339Nano))
	}
	shown.Spaces, err = q.ListNamespaces(ctx)
	return page{title: "Events", data: shown}, err
}

// awaitedEvent is an event that a step waits for, with the address of the form that emits it.
type awaitedEvent struct{ Name, Key, Href string }

// awaitedEvents are the events that a step of the inbox waits for.
func awaitedEvents(w gen.WaitDetail) (found []awaitedEvent) {
	for i, name := range w.Events {
		found = append(found, awaitedEvent{name, w.EventKeys[i], emitPath(w.Namespace, name, w.EventKeys[i])})
	}
	return found
}

func emitPath(namespace, name, key string) string {
	return Root + "/events/emit?" + url.Values{"namespace": {namespace}, "name": {name}, "key": {key}}.Encode()
}

// emitEvent emits an event to all steps that wait for it.
var emitEvent = action{name: "emit", section: "waits", takes: []string{"namespace", "name", "key"}, ask: askEvent, do: sendEvent}

func askEvent(ctx context.Context, q *query) (question, error) {
	asks := question{
		Title: "Emit an event", Button: "Emit the event", About: "An event for every step of a namespace that waits for its name and key.",
		Back: Root + "/events", Hidden: []pair{{"idempotency_key", "page-" + rand.Text()}},
		Effects: []string{"Every step that waits for this name and key takes the event and goes on, and so does one that begins to wait a moment later and looks back. It cannot be taken back."},
	}
	v := q.r.URL.Query()
	namespace, name, key := v.Get("namespace"), v.Get("name"), v.Get("key")
	if namespace != "" && name != "" {
		waits, err := q.ListWaits(ctx, executor.WaitFilter{Namespace: namespace, Event: name, Limit: mostWaits})
		if err != nil {
			return question{}, err
		}
		asks.Effects = append(asks.Effects, waitingFor(waits, name, key))
		effects, err := q.TestEvent(ctx, sqlfn.TestEventParams{Namespace: namespace, Name: name, Key: key})
		if err != nil {
			return question{}, err
		}
		asks.Effects = append(asks.Effects, templatesOf(effects)...)
	}
	spaces, err := q.ListNamespaces(ctx)
	if err != nil {
		return question{}, err
	}
	names := make([]string, len(spaces))
	for i, s := range spaces {
		names[i] = s.Name
	}
	asks.Fields = []field{
		{Name: "namespace", Label: "Namespace", Kind: "choice", Choices: names, Value: namespace, Required: true},
		{Name: "name", Label: "Name of the event", Kind: "text", Value: name, Required: true, Length: 128},
		{Name: "event_key", Label: "Key", Kind: "text", Value: key, Length: 500, Hint: "What it is about, such as the number of an order. Empty is for steps that wait without a key."},
		{Name: "payload", Label: "Payload", Kind: "json", Value: "{}", Required: true, Hint: "JSON: each step that takes the event has it in its result."},
	}
	return asks, nil
}

// mostWaits is how many waits are listed at once.
const mostWaits = 1000

// waitingFor describes the steps that now wait for an event, by the waits for events of its name.
func waitingFor(waits []gen.WaitDetail, name, key string) string {
	steps := 0
	for _, w := range waits {
		for i := range w.Events {
			if w.Events[i] == name && w.EventKeys[i] == key {
				steps++
				break
			}
		}
	}
	said := count(steps, "step")
	if len(waits) == mostWaits {
		said = "At least " + said
	}
	switch {
	case steps == 0 && len(waits) == mostWaits:
		return "At least " + count(mostWaits, "step") + " wait for events of this name; whether one waits for this key is not counted."
	case steps == 0:
		return "No step waits for it now."
	case steps == 1:
		return said + " waits for it now. It keeps waiting if the payload does not meet its condition."
	}
	return said + " wait for it now. They keep waiting if the payload does not meet their conditions."
}

func sendEvent(ctx context.Context, q *query, form url.Values) (Note, error) {
	payload := json.RawMessage(strings.TrimSpace(form.Get("payload")))
	if !json.Valid(payload) {
		return Note{}, invalid("The payload is not JSON; nothing was changed.", `For example {"paid": true}.`)
	}
	emitted, err := q.EmitEvent(ctx, executor.Event{
		Namespace: form.Get("namespace"), Name: strings.TrimSpace(form.Get("name")), Key: form.Get("event_key"),
		Payload: payload, IdempotencyKey: form.Get("idempotency_key"),
	})
	if err != nil {
		return Note{}, err
	}
	if emitted.Repeated {
		return Note{Text: "The event was emitted before; nothing was changed."}, nil
	}
	return Note{Done: true, Text: "The event is emitted. Workers deliver it."}, nil
}

// templatesOf lists the templates that name an event, regardless of its payload.
func templatesOf(effects []gen.EventEffect) (said []string) {
	for _, f := range effects {
		what := "It starts a task of "
		if f.Action == "cancel" {
			what = "It cancels the open task of its identity key, of "
		}
		said = append(said, what+f.TaskName+" "+f.Version+", if the payload is what the template asks for. “Try it” says so.")
	}
	return said
}

// tryEvent describes the effects that an event would have on tasks, and emits nothing.
var tryEvent = action{
	name: "emit", section: "waits", takes: []string{"namespace", "name", "key"},
	ask: func(ctx context.Context, q *query) (question, error) {
		asks, err := askEvent(ctx, q)
		asks.Title, asks.Button, asks.Hidden = "Try an event", "Try it", nil
		asks.About = "Says which tasks an event would start and cancel. Nothing is emitted, and nothing is changed."
		asks.Effects = []string{"The answer names the templates that ask for the event, and what would become of their tasks."}
		return asks, err
	},
	do: func(ctx context.Context, q *query, form url.Values) (Note, error) {
		payload := strings.TrimSpace(form.Get("payload"))
		if !json.Valid([]byte(payload)) {
			return Note{}, invalid("The payload is not JSON; nothing was changed.", `For example {"order": 7}.`)
		}
		namespace, name, key := form.Get("namespace"), strings.TrimSpace(form.Get("name")), form.Get("event_key")
		effects, err := q.TestEvent(ctx, sqlfn.TestEventParams{Namespace: namespace, Name: name, Key: key, Payload: json.RawMessage(payload)})
		if err != nil {
			return Note{}, err
		}
		said := make([]string, len(effects))
		for i, f := range effects {
			said[i] = f.TaskName + " " + f.Version + ": " + effectOf(f) + "."
		}
		note := Note{Text: "The event concerns these templates; nothing was changed.", Lines: said, To: Root + "/events"}
		if len(said) == 0 {
			note.Text = "No template of the namespace names the event."
		}
		return note, nil
	},
}

// effectOf describes the outcome of an event for a template in words.
func effectOf(f gen.EventEffect) string {
	if f.Problem != nil {
		return "the event would be refused (" + *f.Problem + ")"
	}
	switch f.Outcome {
	case "starts":
		return "a task would start with " + cut(string(f.Context), 300)
	case "cancels":
		return "task " + short(*f.TaskUUID) + " would be cancelled"
	case "exists":
		return "nothing would start, its identity key has task " + short(*f.TaskUUID)
	case "no_task":
		return "nothing would be cancelled, its identity key has no open task"
	case "other_key":
		return "it asks for another key"
	}
	return "its condition does not hold"
}
