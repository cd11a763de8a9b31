package modeltest

import (
	"encoding/json"
	"math/rand/v2"
	"time"

	"github.com/pgtasker/pgtasker/state"
)

// maxKept is the setting kept_results of these tests.
const maxKept = 6

// callNames has only a few names, so that a function makes several calls with the same name.
var callNames = []string{"charge", "book"}

// function has the kept results of a step's handler that is a durable function.
type function struct {
	known bool // the function has kept a result, or has continued
	round int
	kept  []keptResult
	asked *asked // the last wait of the function
	// continued is the state with which the function has continued.
	continued *int
}

// keptResult is the kept result at a position: a value or an error.
type keptResult struct {
	name       string
	occurrence int
	value      json.RawMessage
	failure    string
}

// call is a call of a function.
type call struct {
	position   int
	name       string
	occurrence int
}

// asked is a wait that a function has begun under a claim.
type asked struct {
	call
	claim    int
	wait     *wait
	at       time.Time // of the alternatives until
	since    time.Time // the time from which its durations count
	diverged *diverged // set if the function waits for other code
}

// diverged has the position at which a function made another call than the kept call. It also has the number of consecutive
// runs with such a divergence.
type diverged struct {
	position int
	name     string
	times    int
}

// kept is the answer that the engine should give to a call of a function.
type kept struct {
	answer string
	call   call
	found  keptResult
	round  *int
}

// awaits returns the wait of a step, from its template or its function, or nil.
func (s *step) awaits() *wait {
	switch {
	case s.wait != nil:
		return s.wait
	case s.state == state.StepSuspended && s.asked != nil && s.asked.diverged == nil && s.asked.claim == s.claim:
		return s.asked.wait
	}
	return nil
}

// occurrence returns the number of calls with a name before a position.
func (f *function) occurrence(position int, name string) (n int) {
	for _, k := range f.kept[:min(position-1, len(f.kept))] {
		if k.name == name {
			n++
		}
	}
	return n + 1
}

func (f *function) roundOrNil() *int {
	if !f.known {
		return nil
	}
	return new(f.round)
}

// fenced returns the answer to a call whose claim is no longer the step's claim.
func (w *world) fenced(c claim) (answer kept, ok bool) {
	alive, why := w.holds(c)
	s := w.step(c)
	if !alive {
		return kept{answer: why, round: s.roundOrNil()}, false
	}
	return kept{round: new(s.round)}, true
}

// recall returns the answer to a call whose position has a kept result or is not the next position.
func (s *step) recall(c call, answer kept) (kept, bool) {
	switch {
	case c.position <= len(s.kept):
		k := s.kept[c.position-1]
		answer.answer, answer.found = "diverged", k
		answer.call = call{position: c.position, name: k.name, occurrence: k.occurrence}
		if k.name == c.name && k.occurrence == c.occurrence {
			answer.answer = "known"
		}
		return answer, true
	case c.position > len(s.kept)+1:
		return kept{answer: "invalid"}, true
	case c.position > maxKept:
		return kept{answer: "full"}, true
	}
	return answer, false
}

// write keeps a result. The attempts and losses of the step then count from the beginning again.
func (s *step) write(c call, k keptResult, attempts int) {
	k.name, k.occurrence = c.name, c.occurrence
	s.kept = append(s.kept, k)
	s.known, s.attempts, s.lost = true, attempts, 0
}

// keepResult keeps the result of a call.
func (w *world) keepResult(c claim, at call, k keptResult) kept {
	answer, ok := w.fenced(c)
	if !ok {
		return answer
	}
	s := w.step(c)
	if answer, ok := s.recall(at, answer); ok {
		return answer
	}
	s.write(at, k, 1)
	answer.answer, answer.call, answer.found = "kept", at, s.kept[len(s.kept)-1]
	return answer
}

// suspendStep suspends a step whose function waits, unless the wait is over at once.
func (w *world) suspendStep(c claim, at call, waits *wait, until time.Time) kept {
	t, s := w.tasks[c.task], w.step(c)
	answer, ok := w.fenced(c)
	if !ok {
		if w.repeats(c) && s.asked.diverged == nil && s.asked.position == at.position {
			answer.answer = "suspended"
		}
		return answer
	}
	if answer, ok := s.recall(at, answer); ok {
		return answer
	}
	ask := &asked{call: at, claim: s.claim, wait: waits, at: until, since: w.now}
	if old := s.asked; old != nil && old.diverged == nil && old.call == at {
		ask.since = old.since
	}
	for _, g := range t.signals {
		if g.step < 0 && waits.takes(g) {
			g.step = c.step
			return s.ended(answer, at, results{by: "signal", name: g.name, payload: &g.payload, sentAt: g.sentAt})
		}
	}
	due, by := waits.end(ask.since, until, "")
	if !due.IsZero() && !due.After(w.now) {
		return s.ended(answer, at, results{by: by})
	}
	s.asked = ask
	t.suspend(c.step, due, by)
	answer.answer = "suspended"
	return answer
}

// repeats reports whether a step was already suspended under this claim.
func (w *world) repeats(c claim) bool {
	s := w.step(c)
	return s.claim == c.no && (s.state == state.StepSuspended || s.state == state.StepEnqueued) && s.asked != nil && s.asked.claim == c.no
}

// ended keeps the result of a wait that had ended before it began.
func (s *step) ended(answer kept, at call, by results) kept {
	s.write(at, keptResult{value: by.json()}, 1)
	answer.answer, answer.call, answer.found = "ended", at, s.kept[len(s.kept)-1]
	return answer
}

// suspend lets a running step wait. The attempt does not count.
func (t *task) suspend(n int, due time.Time, by string) {
	s := &t.steps[n]
	s.state, s.since, s.due, s.dueBy = state.StepSuspended, t.now(), due, by
	s.attempts, s.excused = max(s.attempts-1, 0), 0
	s.noted = s.awaits().wantsEvents()
	t.evaluate()
}

// divergeStep suspends a step whose function makes another call than the kept call.
func (w *world) divergeStep(c claim, position int, name string) kept {
	t, s := w.tasks[c.task], w.step(c)
	answer, ok := w.fenced(c)
	if !ok {
		if w.repeats(c) && s.asked.diverged != nil {
			answer.answer = "suspended"
		}
		return answer
	}
	if position > len(s.kept) {
		return kept{answer: "invalid"}
	}
	k := s.kept[position-1]
	d := &diverged{position: position, name: name, times: 1}
	if s.asked != nil && s.asked.diverged != nil && s.asked.diverged.name == name && s.asked.diverged.position == position {
		d.times = s.asked.diverged.times + 1
	}
	s.asked = &asked{claim: s.claim, diverged: d}
	pause := min(5*time.Second<<min(d.times, 6), 5*time.Minute)
	t.suspend(c.step, w.now.Add(pause), "for")
	answer.answer, answer.found = "suspended", k
	answer.call = call{position: position, name: k.name, occurrence: k.occurrence}
	return answer
}

// continueStep begins the next round of a function, with a state.
func (w *world) continueStep(c claim, round, checkpoint int) kept {
	answer, ok := w.fenced(c)
	if !ok {
		return answer
	}
	s := w.step(c)
	switch {
	case round < 0 || round > s.round:
		return kept{answer: "invalid"}
	case round < s.round:
		answer.answer, answer.round = "continued", new(round+1)
		return answer
	}
	s.function = function{known: true, round: s.round + 1, continued: &checkpoint}
	s.attempts, s.lost = 1, 0
	answer.answer, answer.round = "continued", new(s.round)
	return answer
}

// resume lets a function continue. The cause that ended its wait is the result of its call.
func (t *task) resume(n int, by results) {
	s := &t.steps[n]
	if s.asked.diverged == nil {
		s.write(s.asked.call, keptResult{value: by.json()}, 0)
	}
	s.state = state.StepEnqueued
}

// forgetLastError lets a retry or a reset repeat the call whose error was kept last.
func (f *function) forgetLastError() {
	if n := len(f.kept); n > 0 && f.kept[n-1].failure != "" {
		f.kept = f.kept[:n-1]
	}
}

// claimed returns the kept results that a claim should deliver, or nil if the function has kept nothing.
func (f *function) claimed() any {
	if !f.known {
		return nil
	}
	rows := []map[string]any{}
	for _, k := range f.kept {
		row := map[string]any{"name": k.name, "occurrence": k.occurrence}
		if k.failure != "" {
			row["error"] = k.failure
		} else {
			row["value"] = k.value
		}
		rows = append(rows, row)
	}
	claimed := map[string]any{"round": f.round, "count": len(f.kept), "results": rows}
	if f.round > 0 {
		claimed["state"] = *f.continued
	}
	return claimed
}

// signalsOf returns the names that a step waits for in the engine's list of waits. A function that has diverged waits for a
// special name.
func (s *step) signalsOf() []string {
	if w := s.awaits(); w != nil {
		return w.signals()
	}
	if s.asked != nil && s.asked.diverged != nil {
		return []string{"$diverged"}
	}
	return nil
}

// waitingFor returns the beginning and the end of the wait of a suspended function.
func (s *step) waitingFor() (since, due time.Time) {
	if s.asked.diverged != nil {
		return s.since, s.due
	}
	return s.asked.since, s.due
}

// asJSON returns a wait in the JSON form that a function sends.
func (w *wait) asJSON(until time.Time) json.RawMessage {
	list := w.json()
	for _, one := range list {
		if _, ok := one["until"]; ok {
			one["until"] = until.UTC().Format(time.RFC3339Nano)
		}
	}
	spec := map[string]any{"await": list}
	if w.timeout > 0 {
		spec["timeout"] = w.timeout.Seconds()
	}
	raw, err := json.Marshal(spec)
	if err != nil {
		panic(err)
	}
	return raw
}

// nextCall returns the call after the last kept result.
func (f *function) nextCall(name string) call {
	position := len(f.kept) + 1
	return call{position: position, name: name, occurrence: f.occurrence(position, name)}
}

// randomCall mostly returns the next call. Otherwise it returns a kept call or a call that comes too early.
func (f *function) randomCall(r *rand.Rand) call {
	position := len(f.kept) + 1
	switch r.IntN(8) {
	case 0:
		position = 1 + r.IntN(position)
	case 1:
		position++
	}
	name := callNames[r.IntN(len(callNames))]
	if position <= len(f.kept) && r.IntN(2) == 0 {
		name = f.kept[position-1].name
	}
	return call{position: position, name: name, occurrence: f.occurrence(position, name)}
}

// lasting returns the steps of a task whose durable functions wait.
func (t *task) lasting() (steps []step) {
	for _, s := range t.steps {
		if s.state == state.StepSuspended && s.wait == nil {
			steps = append(steps, s)
		}
	}
	return steps
}
