package propertytest

import (
	"encoding/json"
	"math"
	"math/rand/v2"

	"github.com/pgtasker/pgtasker/state"
)

// condition is a jsonpath predicate and its meaning in Go.
type condition struct {
	text  *string
	holds func(results any) bool
}

func always(any) bool { return true }

var conditions = []condition{
	{nil, always},
	{nil, always},
	{nil, always},
	{new("$.ok == true"), func(results any) bool {
		object, _ := results.(map[string]any)
		return object["ok"] == true
	}},
	{new("$.n > 5"), func(results any) bool {
		object, _ := results.(map[string]any)
		n, _ := object["n"].(float64)
		return n > 5
	}},
	{new("$.missing == 1"), func(any) bool { return false }},
	{new("$.ok"), func(results any) bool {
		object, _ := results.(map[string]any)
		return object["ok"] == true
	}},
}

var possibleResults = []string{`{"ok": true, "n": 9}`, `{"ok": false, "n": 3}`, `{"n": 6}`, `[1, 2]`, `"text"`, `null`}

// step is a step in some state.
type step struct {
	state       state.StepState
	join        string
	attempts    int
	maxAttempts int
	retryable   bool
	request     *int32
	base        *float64
	multiplier  *float64
	maxBackoff  *int32
	due         bool // its next attempt is due
	results     *string
}

// task is a graph in some state.
type task struct {
	*graph
	steps      []step
	conditions []condition // of each edge
	state      state.TaskState
	startAhead bool
	paused     bool
	halt       bool
}

// randomTask returns a task in a state that the engine could have left: a step runs only after its parents, and an ended task
// has no active step.
func randomTask(r *rand.Rand, size int) *task {
	t := &task{
		graph: randomDAG(r, size), state: state.TaskStepsInProcess,
		paused: r.IntN(8) == 0, halt: r.IntN(4) == 0,
	}
	t.steps = make([]step, t.nodes)
	t.conditions = make([]condition, len(t.edges))
	for i := range t.conditions {
		t.conditions[i] = conditions[r.IntN(len(conditions))]
	}

	progress := r.Float64() // how far the task has come
	for _, n := range t.inOrder() {
		t.steps[n] = randomStep(r, t.settled(n), progress)
	}

	open := t.count(func(s step) bool { return !s.state.IsTerminal() })
	active := t.count(func(s step) bool {
		return s.state.IsInProcessingPipeline() || s.state == state.StepWaitingForRetry
	})
	failed := t.count(func(s step) bool { return s.state.IsError() })
	switch {
	case open+failed == 0:
		t.state = state.TaskComplete
	case active == 0 && r.IntN(3) == 0:
		t.state = []state.TaskState{state.TaskError, state.TaskCancelled, state.TaskResolvedManually}[r.IntN(3)]
	case t.count(func(s step) bool { return s.state != state.StepPending }) == 0 && r.IntN(2) == 0:
		t.state = state.TaskPending
		t.startAhead = r.IntN(2) == 0
	default:
		states := []state.TaskState{
			state.TaskInitializing, state.TaskEnqueuingSteps, state.TaskStepsInProcess, state.TaskEvaluatingResults,
			state.TaskWaitingForDependencies, state.TaskWaitingForRetry, state.TaskBlockedByFailures,
		}
		t.state = states[r.IntN(len(states))]
	}
	return t
}

func randomStep(r *rand.Rand, settled bool, progress float64) step {
	s := step{
		state: state.StepPending, join: []string{"all", "all", "any", "settled"}[r.IntN(4)],
		maxAttempts: 1 + r.IntN(5), retryable: r.IntN(5) > 0, due: r.IntN(2) == 0,
	}
	switch {
	case r.Float64() < progress && (settled || r.IntN(10) == 0):
		done := []state.StepState{
			state.StepComplete, state.StepComplete, state.StepComplete, state.StepComplete, state.StepResolvedManually,
			state.StepCancelled, state.StepError,
		}
		s.state = done[r.IntN(len(done))]
	case settled:
		s.state = state.StepStates()[r.IntN(6)] // pending to waiting_for_retry
	}
	if s.state != state.StepPending || r.IntN(3) == 0 {
		s.attempts = r.IntN(s.maxAttempts + 1)
		if r.IntN(20) == 0 {
			s.attempts = 1 << r.IntN(31)
		}
	}
	if s.state.SatisfiesDependencies() && r.IntN(8) > 0 {
		s.results = &possibleResults[r.IntN(len(possibleResults))]
	}
	if r.IntN(4) == 0 {
		s.request = new(r.Int32N(500))
	}
	if r.IntN(3) == 0 {
		s.base = new(float64(1+r.IntN(40)) / 8)
	}
	if r.IntN(3) == 0 {
		s.multiplier = new(1 + float64(r.IntN(16))/4)
	}
	if r.IntN(3) == 0 {
		s.maxBackoff = new(r.Int32N(4000))
	}
	return s
}

func (t *task) count(is func(step) bool) (n int) {
	for _, s := range t.steps {
		if is(s) {
			n++
		}
	}
	return n
}

// outcome counts the parents of a step by how they have ended.
type outcome struct{ total, completed, settled, satisfied int }

func (t *task) outcome(n int) (o outcome) {
	for _, e := range t.parents[n] {
		parent := t.steps[t.edges[e][0]]
		o.total++
		if parent.state.SatisfiesDependencies() {
			o.completed++
			var results any
			if parent.results != nil {
				if err := json.Unmarshal([]byte(*parent.results), &results); err != nil {
					panic(err)
				}
			}
			if t.conditions[e].text == nil || parent.results != nil && t.conditions[e].holds(results) {
				o.satisfied++
			}
		}
		if parent.state.SatisfiesDependencies() || parent.state == state.StepCancelled {
			o.settled++
		}
	}
	return o
}

// settled reports whether the parents of a step, whose states are set already, have all settled.
func (t *task) settled(n int) bool {
	o := t.outcome(n)
	return o.settled == o.total
}

func (t *task) dependenciesSatisfied(n int) bool {
	o := t.outcome(n)
	switch {
	case o.settled < o.total:
		return false
	case t.steps[n].join == "settled" || o.total == 0:
		return true
	case t.steps[n].join == "any":
		return o.satisfied > 0
	}
	return o.satisfied == o.total
}

func (t *task) retryEligible(n int) bool {
	s := t.steps[n]
	return s.state != state.StepError && (s.attempts == 0 || s.retryable && s.attempts < s.maxAttempts)
}

func (t *task) blockingReason(n int) string {
	s := t.steps[n]
	if s.state == state.StepError {
		return "retry_not_eligible"
	}
	if s.state != state.StepPending && s.state != state.StepWaitingForRetry {
		return "invalid_state"
	}
	failed := t.count(func(s step) bool { return s.state.IsError() })
	for _, rule := range []struct {
		applies bool
		reason  string
	}{
		{t.state.IsTerminal(), "task_ended"},
		{!t.dependenciesSatisfied(n), "dependencies_not_satisfied"},
		{!t.retryEligible(n), "retry_not_eligible"},
		{s.state == state.StepWaitingForRetry && !s.due, "backoff_not_expired"},
		{t.halt && failed > 0, "task_halted"},
		{t.startAhead, "task_not_started"},
		{t.paused, "namespace_paused"},
	} {
		if rule.applies {
			return rule.reason
		}
	}
	return ""
}

// effectiveBackoff relies on the default settings: base 1, multiplier 2, at most 60 seconds.
func (t *task) effectiveBackoff(n int) float64 {
	s := t.steps[n]
	base, multiplier, limit := 1.0, 2.0, 60.0
	if s.base != nil {
		base = *s.base
	}
	if s.multiplier != nil {
		multiplier = *s.multiplier
	}
	if s.maxBackoff != nil {
		limit = float64(*s.maxBackoff)
	}
	switch {
	case s.request != nil:
		return float64(*s.request)
	case s.attempts == 0:
		return 0
	}
	return math.Min(base*math.Pow(multiplier, float64(s.attempts)), limit)
}
