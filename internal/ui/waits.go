package ui

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/seal"
)

type waitsPage struct {
	Namespace, Assignee, Signal string
	Spaces                      []gen.TaskNamespace
	Groups                      []waitGroup
	Next, First                 string
	Filtered                    bool
}

// waitGroup are the waits of the page that ask the same question.
type waitGroup struct {
	Name  string
	Waits []waitCard
}

// waitCard is a wait as a decision, with the facts for the decision.
type waitCard struct {
	gen.WaitDetail
	Title string
	Facts []pair
}

// Otherwise describes how the step ends without an answer.
func (w waitCard) Otherwise() string {
	switch {
	case w.DueAt == nil:
		return ""
	case w.OnTimeout == "fail":
		return "Without an answer it fails"
	case w.OnTimeout == "skip":
		return "Without an answer it is skipped"
	}
	return "Without an answer it goes on"
}

// factsShown is how many facts of a context are shown.
const factsShown = 5

// factsOf returns the first members of a JSON object, by name. Nested values are shortened.
func factsOf(object json.RawMessage, most int) (facts []pair) {
	var members map[string]json.RawMessage
	if json.Unmarshal(object, &members) != nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if len(facts) == most {
			break
		}
		fact := pair{cut(name, 40), cut(asWritten(members[name]), 120)}
		if name == "pgtasker" && seal.Is(object) {
			fact = pair{"Other fields", seal.Shown(json.RawMessage(`{"pgtasker":`+string(members[name])+"}"), "")}
		}
		facts = append(facts, fact)
	}
	return facts
}

// asWritten is a JSON value as people write it. A text has no quotes.
func asWritten(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil && string(value) != "null" {
		return text
	}
	return string(value)
}

// decision makes a title from a template's description of a step. {name} stands for the member name of the context.
func decision(w gen.WaitDetail, facts json.RawMessage) string {
	title := w.StepName
	if w.Description != nil {
		title = *w.Description
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(facts, &members) != nil {
		return cut(title, 300)
	}
	for name, value := range members {
		title = strings.ReplaceAll(title, "{"+name+"}", cut(asWritten(value), 100))
	}
	return cut(title, 300)
}

// group puts waits that ask the same question together, with the facts of each.
func (w *waitsPage) group(ctx context.Context, q *query, waits []gen.WaitDetail) error {
	at := map[string]int{}
	for _, d := range waits {
		card := waitCard{WaitDetail: d}
		var object json.RawMessage
		if _, err := q.part(ctx, func(e *executor.SqlFunctionExecutor) error {
			t, err := e.GetTask(ctx, d.TaskUUID)
			object = t.Context
			return err
		}); err != nil {
			return err
		}
		card.Title, card.Facts = decision(d, object), factsOf(object, factsShown)
		name := d.Namespace + "/" + d.TaskName + " " + d.StepName
		n, known := at[name]
		if !known {
			n = len(w.Groups)
			at[name] = n
			w.Groups = append(w.Groups, waitGroup{Name: name})
		}
		w.Groups[n].Waits = append(w.Groups[n].Waits, card)
	}
	return nil
}

// loadWaits shows the steps that wait for an answer, longest waiting first.
func loadWaits(ctx context.Context, q *query) (page, error) {
	w := waitsPage{Namespace: text(q.value("namespace")), Assignee: text(q.value("assignee")), Signal: text(q.value("signal"))}
	w.Filtered = w.Namespace+w.Assignee+w.Signal != ""
	filter := executor.WaitFilter{Namespace: w.Namespace, Assignee: w.Assignee, Signal: w.Signal, Limit: pageSize + 1}
	v := q.r.URL.Query()
	if after := v.Get("after"); after != "" {
		id, err := parseUUID("after", after)
		if err != nil {
			return page{}, err
		}
		since, err := parseTime("since", v.Get("since"))
		if err != nil {
			return page{}, err
		}
		filter.After = &gen.WaitDetail{StepUUID: id, WaitingSince: since}
		w.First = with(q.r.URL, "after", "", "since", "")
	}
	waits, err := q.ListWaits(ctx, filter)
	if err != nil {
		return page{}, err
	}
	if len(waits) > pageSize {
		waits = waits[:pageSize]
		last := waits[pageSize-1]
		w.Next = with(q.r.URL, "after", last.StepUUID.String(), "since", last.WaitingSince.Format(time.RFC3339Nano))
	}
	if err := w.group(ctx, q, waits); err != nil {
		return page{}, err
	}
	w.Spaces, err = q.ListNamespaces(ctx)
	return page{title: "Inbox", data: w}, err
}

// awaited is an alternative of a waiting step. It has a signal, or no signal if the alternative is a time.
type awaited struct {
	Signal string  `json:"signal"`
	When   *string `json:"when"`
	Schema *schema `json:"schema"`
}

// awaits returns the signals that a step waits for, by its template or its durable function.
func (q *query) awaits(ctx context.Context, s executor.StepDetail) (found []awaited, err error) {
	wait, _, err := q.GetStepWait(ctx, s.WorkflowStepUUID)
	if err != nil || len(wait.Signals) == 0 || wait.Signals[0] == "$diverged" {
		return nil, err
	}
	var all []awaited
	if err := json.Unmarshal(wait.Await, &all); err != nil {
		return nil, err
	}
	for _, a := range all {
		if a.Signal != "" {
			found = append(found, a)
		}
	}
	return found, nil
}

// answerStep sends a step the signal that it waits for.
var answerStep = action{name: "signal", section: "waits", takes: []string{"signal"}, ask: askSignal, do: sendSignal}

func askSignal(ctx context.Context, q *query) (question, error) {
	t, s, err := q.readStep(ctx)
	if err != nil {
		return question{}, err
	}
	alternative, err := q.awaitedSignal(ctx, s)
	if err != nil {
		return question{}, err
	}
	asks := aboutStep(question{
		Title: "Answer “" + alternative.Signal + "”", Button: "Send “" + cut(alternative.Signal, 40) + "”",
		Effects: []string{"The signal is sent to the task. The step takes it and goes on with it."},
		Hidden:  []pair{{"key", "page-" + rand.Text()}},
	}, t, s)
	if alternative.When != nil {
		asks.Effects = append(asks.Effects, "It ends the wait only if "+*alternative.When+" holds; else it is kept.")
	}
	if string(s.State) != "suspended" {
		asks.Idle = "The step does not wait."
	}
	asks.Fields = payloadOf(alternative).fields()
	if seal.Is(t.Context) {
		asks.Fields = nil
		asks.Effects = append(asks.Effects, "The payloads of the task are encrypted, and the page has no key: the signal has no payload. The command line sends one, with --key.")
	}
	asks.Facts = factsOf(t.Context, 12)
	parents, err := q.GetParentResults(ctx, s.WorkflowStepUUID, 0, 12)
	for _, p := range parents {
		asks.Facts = append(asks.Facts, pair{"Result of " + p.Name, cut(string(readable(p.Results)), 300)})
	}
	return asks, err
}

// payloadOf divides the payload of a signal into inputs. Without a schema the payload is any JSON.
func payloadOf(a awaited) part {
	s := schema{}
	if a.Schema != nil {
		s = *a.Schema
	}
	return partsOf(s, "", "p", true, 0)
}

// awaitedSignal returns the alternative that the address names.
func (q *query) awaitedSignal(ctx context.Context, s executor.StepDetail) (awaited, error) {
	name := q.r.URL.Query().Get("signal")
	if name == "" {
		return awaited{}, invalid("The signal is missing.", "The inbox lists the signals of each step.")
	}
	alternatives, err := q.awaits(ctx, s)
	if err != nil {
		return awaited{}, err
	}
	for _, a := range alternatives {
		if a.Signal == name {
			return a, nil
		}
	}
	return awaited{Signal: name}, nil
}

func sendSignal(ctx context.Context, q *query, form url.Values) (Note, error) {
	t, s, err := q.readStep(ctx)
	if err != nil {
		return Note{}, err
	}
	alternative, err := q.awaitedSignal(ctx, s)
	if err != nil {
		return Note{}, err
	}
	payload, present, err := payloadOf(alternative).payload(form)
	if err != nil {
		return Note{}, err
	}
	if !present {
		payload = json.RawMessage("{}")
	}
	answer, err := q.SendSignal(ctx, t.TaskUUID, executor.Signal{Name: alternative.Signal, Payload: payload, IdempotencyKey: form.Get("key")})
	if err != nil {
		return Note{}, err
	}
	return saidSignal(answer, s), nil
}

// saidSignal describes the delivery of a signal.
func saidSignal(a gen.SignalAnswer, s executor.StepDetail) Note {
	switch {
	case a.Answer == executor.Repeated:
		return Note{Text: "The signal was sent before; nothing was changed."}
	case a.Answer == executor.Ended:
		return Note{Text: "The task has ended and takes no signal; nothing was changed."}
	case a.StepUUID == nil:
		return Note{Done: true, Text: "The signal is kept: no step takes it yet."}
	case uuid.UUID(*a.StepUUID) != s.WorkflowStepUUID:
		return Note{Done: true, Text: "The signal was taken by another step of the task, number " + strconv.Itoa(stepNo(*a.StepUUID)) + "."}
	}
	return Note{Done: true, Text: fmt.Sprintf("The signal was delivered to %s.", s.Name)}
}

// signalOffers are the answers that a step takes.
func signalOffers(s executor.StepDetail, alternatives []awaited) (offers []offer) {
	if string(s.State) != "suspended" {
		return nil
	}
	for _, a := range alternatives {
		if a.Signal != "" {
			offers = append(offers, offer{"signal", "Answer “" + cut(a.Signal, 30) + "”…", stepPath(s.WorkflowStepUUID) + "/signal?signal=" + url.QueryEscape(a.Signal), false})
		}
	}
	return offers
}
