package modeltest

import (
	"slices"
	"time"

	"github.com/pgtasker/pgtasker/state"
)

// maxLost is the setting max_lost of these tests.
const maxLost = 2

// world has all tasks of a namespace.
type world struct {
	tasks  []*task
	now    time.Time
	paused bool
	limits map[string]limit
	own    map[limitKey]limit     // bounds of one key, in place of the bounds of its limit
	paid   map[limitKey]time.Time // the time until which the rate of a key is paid
	events []*event               // oldest first
	seen   map[string]int
	alone  []attempt // of SQL steps, which are alone in a later call
	lost   map[int]bool
}

// claim is a step together with the claim under which a worker holds or held it.
type claim struct {
	task, step, no int
}

// report is a worker's report about a claim.
type report struct {
	claim
	results   *results // nil for a failure
	permanent bool
}

func (w *world) step(c claim) *step { return &w.tasks[c.task].steps[c.step] }

// fireTimers fires due timers, and advances touched tasks, whose notes are timers. It matches the steps in begun with kept events, and
// delivers events to at most this many waits.
func (w *world) fireTimers(begun []place, receivers int) {
	due, raced := make([][]int, len(w.tasks)), make([][]int, len(w.tasks))
	for i, t := range w.tasks {
		due[i], raced[i] = t.dueWaits(w.now), slices.Clone(t.races)
	}
	for _, t := range w.tasks {
		switch {
		case !t.deadline.IsZero() && !t.deadline.After(w.now):
			t.fail()
		case !t.startAt.IsZero() && !t.startAt.After(w.now):
			t.advance(w.now)
		}
		if t.touched {
			t.advance(w.now)
		}
		fired := false
		for n := range t.steps {
			s := &t.steps[n]
			if s.state != state.StepWaitingForRetry || s.retryAt.After(w.now) {
				continue
			}
			fired = true
			s.state = state.StepEnqueued
			if t.halted() {
				s.state = state.StepPending // Another attempt is a start as well.
			}
		}
		if fired {
			t.evaluate()
		}
	}
	w.matchWaits(begun)
	w.deliver(receivers)
	for i, t := range w.tasks {
		t.endWaits(due[i])
	}
	for i, t := range w.tasks {
		t.endRaces(raced[i])
	}
}

// startDeferred starts deferred tasks, as an orchestrator does.
func (w *world) startDeferred() {
	for _, t := range w.tasks {
		if t.awaits {
			t.advance(w.now)
		}
	}
}

// handles reports whether a worker with these handlers runs steps of this handler. The value nil means all handlers except
// functions of the database.
func handles(handlers []string, handler string) bool {
	if handlers == nil {
		return !isSQL(handler)
	}
	return handlers[0] == handler
}

// recover recovers the steps whose lease has ended, for these handlers.
func (w *world) recover(handled func(handler string) bool) {
	for _, t := range w.tasks {
		var failed []int
		for n := range t.steps {
			s := &t.steps[n]
			switch {
			case s.state != state.StepInProgress || s.leaseUntil.After(w.now):
			case !handled(s.handler):
			case s.waits && s.excused < 3:
				s.state, s.attempts, s.waits, s.excused = state.StepEnqueued, s.attempts-1, false, s.excused+1
			case s.lost < maxLost:
				s.state, s.attempts, s.waits, s.lost, s.excused = state.StepEnqueued, s.attempts-1, false, s.lost+1, 0
			default:
				s.state = state.StepError
				failed = append(failed, n)
			}
		}
		if len(failed) > 0 {
			t.settle(failed...)
			t.evaluate()
		}
	}
}

// beforeClaim does the first work of every claim. It recovers lost steps among the steps that the claim could take.
func (w *world) beforeClaim(handlers []string, limit int, begun []place) {
	w.fireTimers(begun, max(limit/2, 5))
	if !w.paused {
		w.recover(func(handler string) bool { return handles(handlers, handler) })
	}
}

func (w *world) orchestrate() {
	w.fireTimers(w.begun(), atOnce)
	w.startDeferred()
	w.recover(func(string) bool { return true })
	w.process()
}

// ready returns the steps that a worker with these handlers may claim.
func (w *world) ready(handlers []string) (ready []claim) {
	if w.paused {
		return nil
	}
	for i, t := range w.tasks {
		for n, s := range t.steps {
			if s.state == state.StepEnqueued && handles(handlers, s.handler) {
				ready = append(ready, claim{task: i, step: n, no: s.claim + 1})
			}
		}
	}
	return ready
}

// suspectFrom is the number of lost workers that makes a step a suspect. A worker begins one suspect at a time.
const suspectFrom = 2

func (w *world) suspects(claims []claim) (n int) {
	for _, c := range claims {
		if w.step(c).lost >= suspectFrom {
			n++
		}
	}
	return n
}

// youngSuspects counts the suspects that a worker runs and that have not outlived three leases.
func (w *world) youngSuspects() (n int) {
	for _, t := range w.tasks {
		for _, s := range t.steps {
			if s.state == state.StepInProgress && !isSQL(s.handler) && s.lost >= suspectFrom && s.startedAt.Add(3*s.lease).After(w.now) {
				n++
			}
		}
	}
	return n
}

// start gives a step to a worker.
func (w *world) start(c claim, lease time.Duration) {
	s := w.step(c)
	s.state, s.claim, s.attempts, s.leaseUntil = state.StepInProgress, s.claim+1, s.attempts+1, w.now.Add(lease)
	s.startedAt, s.lease = w.now, lease
}

// wait records which steps wait for a handler. Afterwards no other step waits.
func (w *world) wait(claims []claim) {
	for _, t := range w.tasks {
		for n := range t.steps {
			t.steps[n].waits = false
		}
	}
	for _, c := range claims {
		w.step(c).waits = true
	}
}

// renew extends the lease of a step. Only steps that have begun are renewed.
func (w *world) renew(c claim, lease time.Duration) {
	s := w.step(c)
	s.leaseUntil, s.lease = w.now.Add(lease), lease
	s.waits = s.waits && s.startedAt.Equal(w.now)
}

// finish records a batch of results and returns the answers.
func (w *world) finish(reports []report) []string {
	answers := make([]string, len(reports))
	moved := map[int][]int{}
	for i, r := range reports {
		s := w.step(r.claim)
		failed := r.results == nil
		switch {
		case s.state == state.StepCancelled:
			answers[i] = "cancelled"
		case s.claim != r.no:
			answers[i] = "stale"
		case s.state == state.StepInProgress:
			s.excused = 0
			if !failed {
				s.results = r.results
			}
			answers[i] = s.finish(failed, r.permanent)
			moved[r.task] = append(moved[r.task], r.step)
		default:
			answers[i] = repeated(s.state, failed)
		}
	}
	for i, steps := range moved {
		w.tasks[i].settle(steps...)
		w.tasks[i].evaluate()
	}
	return answers
}

// repeated answers a second result of a claim, or a result after the step was lost.
func repeated(s state.StepState, failed bool) string {
	switch {
	case s.SatisfiesDependencies() || s == state.StepEnqueuedForOrchestration:
		return "already_complete"
	case failed && s == state.StepWaitingForRetry:
		return "retrying"
	case failed && s == state.StepError:
		return "failed"
	case failed && s == state.StepEnqueuedAsErrorForOrchestration:
		return "recorded"
	}
	return "stale"
}

// process carries out recorded results.
func (w *world) process() {
	for _, t := range w.tasks {
		var moved []int
		for n := range t.steps {
			s := &t.steps[n]
			switch s.state {
			case state.StepEnqueuedForOrchestration:
				s.finish(false, false)
			case state.StepEnqueuedAsErrorForOrchestration:
				s.finish(true, s.permanent)
			default:
				continue
			}
			moved = append(moved, n)
		}
		if len(moved) > 0 {
			t.settle(moved...)
			t.evaluate()
		}
	}
}

// holds reports whether a step runs under this claim. If it does not, holds also returns the answer to the worker.
func (w *world) holds(c claim) (bool, string) {
	switch s := w.step(c); {
	case s.state == state.StepCancelled:
		return false, "cancelled"
	case s.state == state.StepInProgress && s.claim == c.no:
		return true, ""
	}
	return false, "stale"
}

// answer is the answer to an operator's call: done, nothing to do, or refused.
type answer string

const (
	done    answer = "true"
	nothing answer = "false"
	refused answer = "refused"
)

func (w *world) cancelTask(t *task) answer {
	if t.state.IsTerminal() {
		return nothing
	}
	t.cancel(state.TaskCancelled)
	return done
}

func (w *world) resolveTask(t *task) answer {
	switch t.state {
	case state.TaskResolvedManually:
		return nothing
	case state.TaskBlockedByFailures:
		t.cancel(state.TaskResolvedManually)
		return done
	}
	return refused
}

func (w *world) giveUpTask(t *task) answer {
	switch t.state {
	case state.TaskError:
		return nothing
	case state.TaskBlockedByFailures:
		t.fail()
		return done
	}
	return refused
}

func (w *world) resetTask(t *task) answer {
	_, _, _, _, failed := t.counters()
	switch {
	case t.state.IsTerminal() && t.state != state.TaskError:
		return refused
	case t.state != state.TaskError && failed == 0:
		return nothing
	case failed == 0 && t.anyBroken():
		return refused // The task would fail again at once.
	case t.state == state.TaskError:
		t.state = state.TaskPending
		if t.due.After(w.now) {
			t.deadline = t.due
		}
	}
	for n := range t.steps {
		if s := &t.steps[n]; s.state == state.StepError {
			s.again()
			s.forgetLastError()
		}
	}
	t.advance(w.now)
	return done
}

// moveOn advances a task after an operator's call, except a task whose start is deferred.
func (w *world) moveOn(t *task) {
	if !t.awaits {
		t.advance(w.now)
	}
}

func (w *world) retryStep(t *task, n int) answer {
	s := &t.steps[n]
	switch {
	case t.state.IsTerminal():
		return refused
	case s.state == state.StepError:
		s.again()
		s.forgetLastError()
	case s.state == state.StepWaitingForRetry:
		s.state = state.StepPending
	case s.state == state.StepPending || s.state == state.StepEnqueued || s.state == state.StepInProgress || s.state == state.StepSuspended:
		return nothing
	default:
		return refused
	}
	w.moveOn(t)
	return done
}

// settleByHand completes a step with results, or resolves it without results.
func (w *world) settleByHand(t *task, n int, r *results) answer {
	s := &t.steps[n]
	to := state.StepResolvedManually
	if r != nil {
		to = state.StepComplete
	}
	recorded := s.state == state.StepEnqueuedForOrchestration || s.state == state.StepEnqueuedAsErrorForOrchestration
	switch {
	case r != nil && s.state == to && !s.has(r):
		return refused
	case s.state == to:
		return nothing
	case t.state.IsTerminal() || settles(s.state) || recorded && r != nil:
		return refused
	}
	s.state = to
	if r != nil {
		s.results = r
	}
	w.moveOn(t)
	return done
}

// has reports whether a step has this result.
func (s *step) has(r *results) bool {
	return s.results != nil && string(s.results.json()) == string(r.json())
}

// rerunStep lets a step and all its descendants run again. If a result is given, the step gets the result, and only the
// descendants run again.
func (w *world) rerunStep(t *task, n int, right *results) answer {
	s := &t.steps[n]
	broken := s.state == state.StepCancelled && s.broken
	ended := s.state == state.StepComplete || s.state == state.StepResolvedManually || s.state == state.StepError || broken
	switch {
	case t.state == state.TaskCancelled || t.state == state.TaskResolvedManually || s.state == state.StepCancelled && !broken:
		return refused
	case !ended && right != nil:
		return refused
	case !ended || right != nil && s.state == state.StepComplete && s.has(right):
		return nothing
	}
	below := t.below(n)
	failed := t.state == state.TaskError
	if t.state.IsTerminal() {
		t.state = state.TaskPending
		if t.due.After(w.now) {
			t.deadline = t.due
		}
	}
	for m := range t.steps {
		k := &t.steps[m]
		if below[m] {
			// The result is replaced. The bookings of the former run stay, because nothing is undone before a step
			// runs again.
			k.former, k.booked = k.former+k.booked, 0
		}
		switch {
		case below[m] && (m != n || right == nil):
			k.again()
			k.results, k.checkpoint, k.noted, k.due = nil, nil, false, time.Time{}
			k.function = function{known: k.known}
		case failed && k.state == state.StepError && m != n:
			k.again()
			k.forgetLastError()
		}
	}
	if right != nil {
		s.again()
		s.state, s.results = state.StepComplete, right
	}
	w.moveOn(t)
	return done
}

// below returns a step and all steps that depend on it, directly or not.
func (t *task) below(n int) map[int]bool {
	found := map[int]bool{n: true}
	for todo := []int{n}; len(todo) > 0; todo = todo[1:] {
		for _, e := range t.edges {
			if e.from == todo[0] && !found[e.to] {
				found[e.to] = true
				todo = append(todo, e.to)
			}
		}
	}
	return found
}
