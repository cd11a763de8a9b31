package modeltest

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/state"
)

// signalNames are few, so that steps of a task wait for the same signal.
var signalNames = []string{"go", "stop", "more"}

// alternative ends a wait: a signal, an event, a duration or a time of the context.
type alternative struct {
	signal   string
	event    string
	key      string // of the event, or a path to it
	lookBack time.Duration
	when     condition
	most     int // the largest n that the payload's schema allows, 0 without a schema
	after    time.Duration
	until    bool // context.at
}

// wait is the wait of a step without a handler.
type wait struct {
	any       []alternative
	timeout   time.Duration
	onTimeout string
}

// randomWait returns a wait of a template, whose keys may be paths, or of a function, which knows its keys.
func randomWait(r *rand.Rand, keys []string) *wait {
	w := &wait{}
	for range 1 + r.IntN(3) {
		a := alternative{}
		switch chance := r.IntN(10); {
		case chance < 3:
			a = randomEvent(r, keys)
		case chance < 7:
			a.signal, a.when = signalNames[r.IntN(len(signalNames))], conditions[r.IntN(len(conditions))]
			if r.IntN(3) == 0 {
				a.most = 8
			}
		case chance < 9:
			a.after = time.Duration(1+r.IntN(100)) * time.Second
		default:
			a.until = true
		}
		w.any = append(w.any, a)
	}
	if r.IntN(2) == 0 {
		w.timeout = time.Duration(1+r.IntN(100)) * time.Second
		w.onTimeout = []string{"fail", "skip", "complete"}[r.IntN(3)]
	}
	return w
}

func (w *wait) json() []map[string]any {
	list := []map[string]any{}
	for _, a := range w.any {
		switch {
		case a.until:
			list = append(list, map[string]any{"until": "$.at"})
		case a.after > 0:
			list = append(list, map[string]any{"for": a.after.Seconds()})
		default:
			one := map[string]any{"signal": a.signal}
			if a.event != "" {
				one = a.eventJSON()
			}
			if a.when.text != "" {
				one["when"] = a.when.text
			}
			if a.most > 0 {
				one["schema"] = map[string]any{"type": "object", "properties": map[string]any{"n": map[string]any{"maximum": a.most}}}
			}
			list = append(list, one)
		}
	}
	return list
}

// signals returns the names of a wait, in order, each once. Without a wait it returns none.
func (w *wait) signals() (names []string) {
	if w == nil {
		return nil
	}
	for _, a := range w.any {
		if a.signal != "" {
			names = append(names, a.signal)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// takes reports whether a signal ends a wait.
func (w *wait) takes(g *signal) bool {
	return slices.ContainsFunc(w.any, func(a alternative) bool {
		if g.event != nil && a.event != g.name || g.event == nil && a.signal != g.name {
			return false
		}
		return a.allows(g) && (a.when.text == "" || a.when.holds(g.payload))
	})
}

func (a alternative) allows(g *signal) bool { return a.most == 0 || g.payload.N <= a.most }

// end returns when time ends a wait that began at since, and which time ends it. A time or a key that cannot be read fails
// the wait at once.
func (w *wait) end(since, at time.Time, tenant string) (due time.Time, by string) {
	for _, a := range w.any {
		var one time.Time
		var what string
		switch {
		case a.until && at.IsZero() || a.event != "" && !a.hasKey(tenant):
			return since, "problem"
		case a.until:
			one, what = at, "until"
		case a.after > 0:
			one, what = since.Add(a.after), "for"
		default:
			continue
		}
		if due.IsZero() || one.Before(due) {
			due, by = one, what
		}
	}
	if w.timeout > 0 && (due.IsZero() || since.Add(w.timeout).Before(due)) {
		due, by = since.Add(w.timeout), "timeout"
	}
	return due, by
}

// signal was sent to a task, or is an event that reaches it. step is the step that took it, or -1.
type signal struct {
	name    string
	payload results
	key     string
	event   *event
	step    int
	sentAt  time.Time // zero if senders run at once: the model does not know their times
}

// waited is the result of a step whose wait has ended.
type waited struct {
	By        string          `json:"by"`
	Name      string          `json:"name,omitempty"`
	Key       *string         `json:"key,omitempty"`
	EventUUID *uuid.UUID      `json:"event_uuid,omitempty"`
	Payload   json.RawMessage `json:"payload,omitempty"`
	SentAt    string          `json:"sent_at,omitempty"`
}

// begin suspends a step that is ready and has no handler.
func (t *task) begin(n int) {
	s := &t.steps[n]
	s.state, s.since = state.StepSuspended, t.now()
	s.due, s.dueBy = s.wait.end(s.since, t.at, t.tenant)
	s.noted = s.wait.wantsEvents()
}

// take gives a signal or an event to a step that waits for it.
func (t *task) take(n int, g *signal) {
	g.step = n
	by := results{by: "signal", name: g.name, event: g.event, payload: &g.payload, sentAt: g.sentAt}
	if g.event != nil {
		by.by = "event"
	}
	if t.steps[n].wait == nil {
		t.resume(n, by)
		return
	}
	t.steps[n].state, t.steps[n].results = state.StepComplete, &by
}

// kept returns the oldest signal that no step has taken and that this step takes, or nil.
func (t *task) kept(n int) *signal {
	for _, g := range t.signals {
		if g.step < 0 && t.steps[n].wait.takes(g) {
			return g
		}
	}
	return nil
}

// dueWaits returns the steps whose wait is due.
func (t *task) dueWaits(now time.Time) (due []int) {
	for n, s := range t.steps {
		if s.state == state.StepSuspended && (s.wait != nil || s.asked != nil) && !s.due.IsZero() && !s.due.After(now) {
			due = append(due, n)
		}
	}
	return due
}

// endWaits ends the open waits among these waits.
func (t *task) endWaits(due []int) {
	var moved []int
	for _, n := range due {
		s := &t.steps[n]
		if s.state != state.StepSuspended {
			continue
		}
		moved = append(moved, n)
		switch {
		case s.wait == nil:
			t.resume(n, results{by: s.dueBy})
		case s.dueBy == "problem" || s.dueBy == "timeout" && s.wait.onTimeout == "fail":
			s.state = state.StepError
		case s.dueBy == "timeout" && s.wait.onTimeout == "skip":
			s.state = state.StepCancelled
		default:
			s.state, s.results = state.StepComplete, &results{by: s.dueBy}
		}
	}
	if len(moved) > 0 {
		t.settle(moved...)
		t.evaluate()
	}
}

// send gives a task a signal. It returns the answer and the step that took the signal, or -1.
func (t *task) send(g signal) (said string, step int) {
	for _, old := range t.signals {
		if g.key != "" && old.key == g.key {
			return "repeated", old.step
		}
	}
	if t.state.IsTerminal() {
		return "ended", -1
	}
	taker, waits, fits := -1, 0, 0
	for n, s := range t.steps {
		w := s.awaits()
		if w == nil || s.state != state.StepPending && s.state != state.StepSuspended {
			continue
		}
		for _, a := range w.any {
			if a.signal == g.name {
				waits++
				if a.allows(&g) {
					fits++
				}
			}
		}
		if taker < 0 && s.state == state.StepSuspended && w.takes(&g) {
			taker = n
		}
	}
	if waits > 0 && fits == 0 {
		return "invalid", -1
	}
	g.step, g.sentAt = -1, t.now()
	t.signals = append(t.signals, &g)
	if taker < 0 {
		return "kept", -1
	}
	t.take(taker, &g)
	t.settle(taker)
	t.evaluate()
	return "delivered", taker
}
