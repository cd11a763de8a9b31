package modeltest

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/state"
)

// step is the expected state of a step in the engine.
type step struct {
	stepPlan
	function
	state      state.StepState
	attempts   int
	lost       int
	claim      int
	startedAt  time.Time
	lease      time.Duration
	leaseUntil time.Time
	waits      bool      // for a handler, as of its worker's last call
	excused    int       // losses in a row by workers that had not begun it
	retryAt    time.Time // chosen by the engine, and checked
	permanent  bool      // the failure to be processed is final
	results    *results
	checkpoint *int
	since      time.Time // when the step began to wait
	due        time.Time // when time ends its wait, zero if only a signal does
	dueBy      string
	noted      bool // the step must still be matched with the kept events
	booked     int  // the number of bookings for its present result
	former     int  // the number of bookings for results that were replaced
	broken     bool // the step failed, and another step waited for the failure
	skipped    bool // the condition of its join was not met
}

// task is the expected state of a task in the engine.
type task struct {
	id       uuid.UUID
	halt     bool
	fails    bool
	steps    []step
	edges    []edge
	state    state.TaskState
	touched  bool      // the next claim or orchestrator advances it, by a timer that is due
	awaits   bool      // an orchestrator must start the task
	startAt  time.Time // zero after the task has begun
	deadline time.Time // zero if there is none
	due      time.Time // the deadline with which the task was created
	at       time.Time // a time in its context, zero if it has none
	key      string    // its identity
	tenant   string    // the key of its limits, in its context
	signals  []*signal
	races    []int // steps that began with the first of their dependencies, while others were open
	now      func() time.Time
}

func newTask(plan *template, now func() time.Time) *task {
	t := &task{now: now, halt: plan.halt, fails: plan.fails, edges: slices.Clone(plan.edges), state: state.TaskPending}
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

func (t *task) counters() (open, active, retrying, suspended, failed int) {
	return t.count(func(s state.StepState) bool { return !s.IsTerminal() }),
		t.count(state.StepState.IsInProcessingPipeline),
		t.count(func(s state.StepState) bool { return s == state.StepWaitingForRetry }),
		t.count(func(s state.StepState) bool { return s == state.StepSuspended }),
		t.count(state.StepState.IsError)
}

func settles(s state.StepState) bool { return s.SatisfiesDependencies() || s == state.StepCancelled }

// parents returns the number of a step's parents, of its pending parents, and of the parents that satisfy it.
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
		if t.satisfies(e) {
			satisfied++
		}
	}
	return total, pending, satisfied
}

func (t *task) joins(n int) bool {
	total, pending, satisfied := t.parents(n)
	switch {
	case t.steps[n].join == "first":
		return satisfied > 0
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

// decision returns the next state of a step whose parents have all settled. The step is enqueued, waits or is skipped. If
// nothing changes, decision returns the step's present state.
func (t *task) decision(n int) state.StepState {
	_, pending, satisfied := t.parents(n)
	switch s := t.steps[n]; {
	case s.state != state.StepPending || pending > 0 && (s.join != "first" || satisfied == 0):
		return s.state
	case !t.joins(n):
		return state.StepCancelled
	case t.halted():
		return s.state
	case s.wait != nil:
		return state.StepSuspended
	}
	return state.StepEnqueued
}

// decide makes all decisions about these steps before it carries the decisions out. It returns the steps that moved.
func (t *task) decide(steps []int) (moved []int) {
	slices.Sort(steps)
	steps = slices.Compact(steps)
	to := make([]state.StepState, len(steps))
	for i, n := range steps {
		to[i] = t.decision(n)
	}
	for i, n := range steps {
		if to[i] == t.steps[n].state {
			continue
		}
		moved = append(moved, n)
		t.steps[n].skipped, t.steps[n].broken = to[i] == state.StepCancelled, false
		if _, pending, _ := t.parents(n); pending > 0 && !slices.Contains(t.races, n) {
			t.races = append(t.races, n)
		}
		if to[i] == state.StepSuspended {
			t.begin(n)
			continue
		}
		t.steps[n].state = to[i]
	}
	return moved
}

// settle continues from steps that moved, level by level. It decides about their children, and a step that begins to wait takes
// a kept signal.
func (t *task) settle(moved ...int) {
	t.takeFailures(moved)
	for len(moved) > 0 {
		var children, next []int
		for _, e := range t.edges {
			if slices.Contains(moved, e.from) && settles(t.steps[e.from].state) {
				children = append(children, e.to)
			}
		}
		slices.Sort(moved)
		level := slices.Clone(moved)
		next = t.decide(children)
		for _, n := range level {
			if t.steps[n].state != state.StepSuspended || t.steps[n].wait == nil {
				continue
			}
			if g := t.kept(n); g != nil {
				t.take(n, g)
				next = append(next, n)
			}
		}
		moved = next
	}
}

// advance decides about all steps of the task, and then about the task.
func (t *task) advance(now time.Time) {
	t.touched = false
	if t.state.IsTerminal() || t.startAt.After(now) {
		return
	}
	t.awaits, t.startAt = false, time.Time{}
	var all []int
	for n := range t.steps {
		all = append(all, n)
	}
	t.settle(t.decide(all)...)
	t.evaluate()
}

func (t *task) evaluate() {
	open, active, retrying, suspended, failed := t.counters()
	switch {
	case active > 0:
		t.state = state.TaskStepsInProcess
	case retrying > 0:
		t.state = state.TaskWaitingForRetry
	case suspended > 0:
		t.state = state.TaskWaitingForDependencies
	case failed > 0 && len(t.races) > 0:
		t.state = state.TaskWaitingForDependencies
	case failed > 0 && t.fails:
		t.end(state.TaskError)
	case failed > 0:
		t.state = state.TaskBlockedByFailures
	case open > 0:
		t.state = state.TaskWaitingForDependencies
	case t.fails && t.anyBroken():
		t.end(state.TaskError)
	default:
		t.end(state.TaskComplete)
	}
}

func (t *task) end(s state.TaskState) {
	t.races = nil
	t.state, t.touched, t.awaits, t.startAt, t.deadline = s, false, false, time.Time{}, time.Time{}
}

// sweep moves every step to the state that the function to returns for the step's state.
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

// again resets the attempts of a failed step.
func (s *step) again() {
	s.state, s.attempts, s.lost, s.excused = state.StepPending, 0, 0, 0
}

// finish applies the outcome of an attempt to a step, and returns the answer to the worker.
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
