package modeltest

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/state"
)

const (
	// defaultLookBack is the time before a wait within which an event counts for the wait, unless the wait sets a duration.
	defaultLookBack = time.Minute
	// atOnce is the number of waits to which an orchestrator delivers an event.
	atOnce = 500
)

// eventNames has only a few names, so that steps of several tasks wait for the same event.
var eventNames = []string{"paid", "open"}

// eventKeys are the keys of waits: a path to a field that some contexts lack, two tenants, and no key.
var eventKeys = []string{"$.tenant", "ann", "bob", ""}

// event is an event that was emitted to all steps that wait for it.
type event struct {
	id            uuid.UUID
	name, key     string
	payload       results
	idempotentKey string
	sentAt        time.Time
	passed        *place // the last step that its delivery has reached
	delivered     bool
	taken         map[place]bool
}

// place names a step by the numbers of its task and of the step.
type place struct{ task, step int }

// awaited is an event that a step waits for, with the value of its key in the task.
type awaited struct {
	alternative
	name, key string
}

// eventTemplate returns a template whose steps mostly wait for events, many of them for the same event.
func eventTemplate(r *rand.Rand, namespace, name string) *template {
	t := &template{namespace: namespace, name: name, events: true, halt: r.IntN(4) == 0}
	for n := range 8 + r.IntN(10) {
		s := randomStep(r, fmt.Sprintf("s%d", n), false)
		if r.IntN(2) > 0 {
			s = stepPlan{name: s.name, join: s.join, maxAttempts: 1, wait: eventWait(r, eventKeys)}
		}
		t.steps = append(t.steps, s)
		if n > 0 && r.IntN(3) == 0 {
			t.edges = append(t.edges, edge{from: r.IntN(n), to: n})
		}
	}
	return t
}

// wait returns a wait of a function of a task of this template.
func (t *template) wait(r *rand.Rand, keys []string) *wait {
	if t.events {
		return eventWait(r, keys)
	}
	return randomWait(r, keys)
}

// eventWait returns a wait for one or two events, and sometimes also for a signal or a time.
func eventWait(r *rand.Rand, keys []string) *wait {
	w := &wait{}
	if r.IntN(5) == 0 {
		w = randomWait(r, keys)
	}
	for range 1 + r.IntN(2) {
		a := randomEvent(r, keys)
		if r.IntN(3) > 0 {
			a.key = ""
		}
		w.any = append(w.any, a)
	}
	return w
}

func randomEvent(r *rand.Rand, keys []string) alternative {
	return alternative{
		event: eventNames[r.IntN(len(eventNames))], key: keys[r.IntN(len(keys))], when: conditions[r.IntN(len(conditions))],
		lookBack: []time.Duration{time.Second, 10 * time.Second, 50 * time.Second, defaultLookBack}[r.IntN(4)],
	}
}

func (a alternative) eventJSON() map[string]any {
	one := map[string]any{"event": a.event}
	if a.key != "" {
		one["key"] = a.key
	}
	if a.lookBack != defaultLookBack {
		one["look_back"] = a.lookBack.Seconds()
	}
	return one
}

// hasKey reports whether the key has a value.
func (a alternative) hasKey(tenant string) bool { return a.key != "$.tenant" || tenant != "" }

func (w *wait) wantsEvents() bool {
	return w != nil && slices.ContainsFunc(w.any, func(a alternative) bool { return a.event != "" })
}

// awaited returns the events that a suspended step waits for: one for each alternative.
func (t *task) awaited(n int) (list []awaited) {
	s := &t.steps[n]
	w := s.awaits()
	if w == nil || s.state != state.StepSuspended {
		return nil
	}
	for _, a := range w.any {
		if a.event == "" || !a.hasKey(t.tenant) {
			continue
		}
		key := a.key
		if key == "$.tenant" {
			key = t.tenant
		}
		list = append(list, awaited{alternative: a, name: a.event, key: key})
	}
	return list
}

// began returns the time from which the durations of a suspended step count.
func (s *step) began() time.Time {
	if s.wait != nil {
		return s.since
	}
	since, _ := s.waitingFor()
	return since
}

// order compares events by time.
func (e *event) order(other *event) int {
	return cmp.Or(e.sentAt.Compare(other.sentAt), bytes.Compare(e.id[:], other.id[:]))
}

// emit keeps an event and returns nil. If the event repeats an earlier event, emit returns the earlier event.
func (w *world) emit(e *event) *event {
	at := slices.IndexFunc(w.events, func(o *event) bool {
		return e.idempotentKey != "" && o.name == e.name && o.idempotentKey == e.idempotentKey
	})
	if at >= 0 {
		return w.events[at]
	}
	w.events = append(w.events, e)
	slices.SortFunc(w.events, (*event).order)
	return nil
}

// wants reports whether a step that waits takes an event.
func (w *world) wants(p place, e *event) bool {
	t := w.tasks[p.task]
	for _, a := range t.awaited(p.step) {
		switch {
		case a.name != e.name || a.key != e.key:
		case e.sentAt.Before(t.steps[p.step].began().Add(-a.lookBack)):
			w.seen["too early"]++
		case a.when.text != "" && !a.when.holds(e.payload):
			w.seen["does not fit"]++
		case e.taken[p]:
			w.seen["had before"]++
		default:
			return true
		}
	}
	return false
}

// oldest returns the first of these events that a step takes, or nil.
func (w *world) oldest(p place, events []*event) *event {
	if at := slices.IndexFunc(events, func(e *event) bool { return w.wants(p, e) }); at >= 0 {
		return events[at]
	}
	return nil
}

// begun returns the waiting steps that have not yet been matched with the kept events.
func (w *world) begun() (begun []place) {
	for i, t := range w.tasks {
		for n, s := range t.steps {
			if s.state == state.StepSuspended && s.noted {
				begun = append(begun, place{i, n})
			}
		}
	}
	return begun
}

// matchWaits gives the steps that have begun to wait those earlier events that they accept.
func (w *world) matchWaits(begun []place) {
	found := map[place]*event{}
	for _, p := range begun {
		w.tasks[p.task].steps[p.step].noted = false
		if e := w.oldest(p, w.events); e != nil {
			found[p] = e
			w.seen["looked back"]++
		}
	}
	w.receive(found)
}

// receive gives each step its event once, and applies the consequences.
func (w *world) receive(found map[place]*event) {
	for i, t := range w.tasks {
		var moved []int
		for n := range t.steps {
			e := found[place{i, n}]
			if e == nil {
				continue
			}
			if t.steps[n].wait == nil {
				w.seen["function"]++
			}
			e.taken[place{i, n}] = true
			t.take(n, &signal{name: e.name, payload: e.payload, event: e, sentAt: e.sentAt})
			moved = append(moved, n)
		}
		if len(moved) > 0 {
			t.settle(moved...)
			t.evaluate()
		}
	}
}

// undelivered returns the events that have not reached all waits, the oldest event first.
func (w *world) undelivered() (events []*event) {
	for _, e := range w.events {
		if !e.delivered {
			events = append(events, e)
		}
	}
	return events
}

// deliver delivers due events to at most limit waits, the oldest event first.
func (w *world) deliver(limit int) {
	for _, e := range w.undelivered() {
		if limit -= w.deliverOne(e, limit); limit <= 0 {
			w.seen["left over"]++
			return
		}
	}
}

// deliverOne delivers an event to the next waits in the order of the steps, and returns their number. A step takes the oldest
// of the events that are being delivered, unless its wait is still to be matched.
func (w *world) deliverOne(e *event, limit int) int {
	next := w.waitsFor(e)
	next = next[:min(len(next), limit)]
	found := map[place]*event{}
	for _, p := range next {
		e.passed = &place{p.task, p.step}
		if w.tasks[p.task].steps[p.step].noted || found[p] != nil {
			continue
		}
		coming := w.undelivered()
		coming = coming[:slices.Index(coming, e)+1]
		if o := w.oldest(p, coming); o != nil {
			found[p] = o
			w.seen["delivered"]++
		}
	}
	w.receive(found)
	e.delivered = len(next) < limit
	return len(next)
}

// waitsFor returns the waits that the delivery of an event has not reached yet. A step is listed twice if two of its
// alternatives wait for it.
func (w *world) waitsFor(e *event) (next []place) {
	for i, t := range w.tasks {
		for n := range t.steps {
			for _, a := range t.awaited(n) {
				if p := (place{i, n}); a.name == e.name && a.key == e.key && (e.passed == nil || w.inOrder(*e.passed, p) < 0) {
					next = append(next, p)
				}
			}
		}
	}
	slices.SortFunc(next, w.inOrder)
	return next
}

// inOrder compares steps by their tasks' UUIDs.
func (w *world) inOrder(a, b place) int {
	one, other := w.tasks[a.task].id, w.tasks[b.task].id
	return cmp.Or(bytes.Compare(one[:], other[:]), cmp.Compare(a.step, b.step))
}
