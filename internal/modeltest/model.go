package modeltest

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/state"
)

// step is a step of a task as the engine should have it.
type step struct {
	stepPlan
	state      state.StepState
	attempts   int
	lost       int
	claim      int
	startedAt  time.Time
	leaseUntil time.Time
	waits      bool // for a handler, when its worker last said something
	excused    int  // losses in a row of workers that had not begun it
	retryAt    time.Time // the engine's choice, once it was found to be a fair one
	permanent  bool      // the failure that waits to be processed is
	results    *results
	checkpoint *int
}

// task is a task as the engine should have it.
type task struct {
	id       uuid.UUID
	halt     bool
	deferred bool // an orchestrator processes its results
	steps    []step
	edges    []edge
	state    state.TaskState
	touched  bool      // the next claim or orchestrator advances it
	awaits   bool      // its start is left to an orchestrator
	startAt  time.Time // zero once it has begun
	deadline time.Time // zero if there is none any more
	due      time.Time // the deadline that it was created with
}

func newTask(plan *template, deferred bool) *task {
	t := &task{halt: plan.halt, deferred: deferred, edges: slices.Clone(plan.edges), state: state.TaskPending}
	for _, s := range plan.steps {
		t.steps = append(t.steps, step{stepPlan: s, state: state.StepPending})
	}
	return t
}

func (t *task) count(is func(state.StepState) bool) (n int) {
	for _, s := range t.steps {
		if is(s.state) {
			n++
		}
	}
	return n
}

func (t *task) counters() (open, active, retrying, failed int) {
	return t.count(func(s state.StepState) bool { return !s.IsTerminal() }),
		t.count(state.StepState.IsInProcessingPipeline),
		t.count(func(s state.StepState) bool { return s == state.StepWaitingForRetry }),
		t.count(state.StepState.IsError)
}

func settles(s state.StepState) bool { return s.SatisfiesDependencies() || s == state.StepCancelled }

// parents is what the parents of a step have come to.
func (t *task) parents(n int) (total, pending, satisfied int) {
	for _, e := range t.edges {
		if e.to != n {
			continue
		}
		parent := t.steps[e.from]
		total++
		if !settles(parent.state) {
			pending++
		}
		if parent.state.SatisfiesDependencies() && (e.when.text == "" || parent.results != nil && e.when.holds(*parent.results)) {
			satisfied++
		}
	}
	return total, pending, satisfied
}

func (t *task) joins(n int) bool {
	total, pending, satisfied := t.parents(n)
	switch {
	case pending > 0:
		return false
	case t.steps[n].join == "settled" || total == 0:
		return true
	case t.steps[n].join == "any":
		return satisfied > 0
	}
	return satisfied == total
}

func (t *task) halted() bool { return t.halt && t.count(state.StepState.IsError) > 0 }

// decide enqueues or skips a step that waits for nothing more, and says whether it skipped it.
func (t *task) decide(n int) (skipped bool) {
	_, pending, _ := t.parents(n)
	switch s := &t.steps[n]; {
	case s.state != state.StepPending || pending > 0:
	case !t.joins(n):
		s.state = state.StepCancelled
		return true
	case !t.halted():
		s.state = state.StepEnqueued
	}
	return false
}

// settle decides about the children of these steps, and of those that are skipped for it.
func (t *task) settle(moved ...int) {
	for len(moved) > 0 {
		var skipped []int
		for _, e := range t.edges {
			if slices.Contains(moved, e.from) && settles(t.steps[e.from].state) && t.decide(e.to) {
				skipped = append(skipped, e.to)
			}
		}
		moved = skipped
	}
}

// advance looks through all steps, and evaluates.
func (t *task) advance(now time.Time) {
	t.touched = false
	if t.state.IsTerminal() || t.startAt.After(now) {
		return
	}
	t.awaits, t.startAt = false, time.Time{}
	var skipped []int
	for n := range t.steps {
		// What is skipped here settles its children in its turn.
		if t.steps[n].state == state.StepPending && t.decide(n) {
			skipped = append(skipped, n)
		}
	}
	t.settle(skipped...)
	t.evaluate()
}

func (t *task) evaluate() {
	open, active, retrying, failed := t.counters()
	switch {
	case active > 0:
		t.state = state.TaskStepsInProcess
	case retrying > 0:
		t.state = state.TaskWaitingForRetry
	case failed > 0:
		t.state = state.TaskBlockedByFailures
	case open > 0:
		t.state = state.TaskWaitingForDependencies
	default:
		t.end(state.TaskComplete)
	}
}

func (t *task) end(s state.TaskState) {
	t.state, t.touched, t.awaits, t.startAt, t.deadline = s, false, false, time.Time{}, time.Time{}
}

// sweep moves every step by one rule.
func (t *task) sweep(to func(state.StepState) state.StepState) {
	for n := range t.steps {
		s := &t.steps[n]
		s.state = to(s.state)
	}
}

func (t *task) cancel(ended state.TaskState) {
	t.sweep(func(s state.StepState) state.StepState {
		if s.IsTerminal() {
			return s
		}
		return state.StepCancelled
	})
	t.end(ended)
}

func (t *task) fail() {
	t.sweep(func(s state.StepState) state.StepState {
		switch {
		case s == state.StepEnqueuedForOrchestration:
			return state.StepComplete
		case s.IsTerminal() || s == state.StepPending:
			return s
		}
		return state.StepError
	})
	t.end(state.TaskError)
}

// again gives a failed step its attempts back.
func (s *step) again() {
	s.state, s.attempts, s.lost, s.excused = state.StepPending, 0, 0, 0
}

// finish carries the outcome of an attempt out, and says what was answered.
func (s *step) finish(failed, permanent bool) string {
	switch {
	case !failed:
		s.state = state.StepComplete
		return "completed"
	case permanent || !s.retryable || s.attempts >= s.maxAttempts:
		s.state = state.StepError
		return "failed"
	}
	s.state, s.retryAt = state.StepWaitingForRetry, time.Time{}
	return "retrying"
}
