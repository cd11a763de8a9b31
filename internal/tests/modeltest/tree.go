package modeltest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/state"
)

// treePlan is a step of a template whose tasks make a tree: with a handler, or a map, a wait, a task of the next level.
type treePlan struct {
	name     string
	join     string
	parents  []int
	attempts int // of a handler, a map's instances, and a step with a task

	isMap    bool
	over     int // the step with the array, -1 for the context
	parallel int // 0: all
	allowed  int // -1: failures are not tolerated

	after time.Duration // a wait for a time or the signal "go"
	child *treeTemplate
}

// treeTemplate is a template of one level.
type treeTemplate struct {
	name      string
	onFailure string
	steps     []treePlan
}

// treeStep is a step as the engine should have it. Instances stand behind the steps of the template.
type treeStep struct {
	*treePlan
	name     string
	of       int // the map of an instance, -1 for other steps
	index    int
	state    state.StepState
	attempts int
	claim    int
	retryAt  time.Time
	due      time.Time // of a wait
	results  any       // nil: none
	element  any

	begun              bool // a map
	elements, expanded int
	note               bool // a timer is due for it

	child  *treeTask
	start  bool // its task is to be started, or to go on
	cancel bool // its task is to be cancelled
}

// treeTask is a task as the engine should have it.
type treeTask struct {
	id       uuid.UUID // nil until the engine was asked
	plan     *treeTemplate
	parent   *treeTask
	step     int // of the parent
	state    state.TaskState
	deadline time.Time
	due      time.Time
	ended    bool // its parent is to be told of its end
	lines    []any
	steps    []*treeStep
}

// tree is a task and what its steps have started, and the clock.
type tree struct {
	tasks []*treeTask
	now   time.Time
	// maps is the order in which the maps of a task that are due at the same time are looked at: the engine's choice.
	maps func(n int) []int
}

// create makes a task: one that begins at once.
func (w *tree) create(plan *treeTemplate, lines []any, deadline time.Time) *treeTask {
	t := &treeTask{plan: plan, state: state.TaskPending, lines: lines, deadline: deadline, due: deadline}
	for n := range plan.steps {
		t.steps = append(t.steps, &treeStep{treePlan: &plan.steps[n], name: plan.steps[n].name, of: -1, state: state.StepPending})
	}
	w.tasks = append(w.tasks, t)
	w.advance(t)
	return t
}

// parents are the steps that one depends on: an instance on those of its map, a map that has begun on its instances too.
func (t *treeTask) parents(n int) (parents []int) {
	s := t.steps[n]
	parents = slices.Clone(s.parents)
	if s.isMap && s.of < 0 {
		for i, other := range t.steps {
			if other.of == n {
				parents = append(parents, i)
			}
		}
	}
	return parents
}

// children are the steps that depend on one.
func (t *treeTask) children(n int) (children []int) {
	for i := range t.steps {
		if slices.Contains(t.parents(i), n) {
			children = append(children, i)
		}
	}
	return children
}

// count is what the parents of a step have come to.
func (t *treeTask) count(n int) (total, pending, satisfied int) {
	for _, p := range t.parents(n) {
		total++
		if !settles(t.steps[p].state) {
			pending++
		}
		if t.steps[p].state.SatisfiesDependencies() {
			satisfied++
		}
	}
	return total, pending, satisfied
}

func (t *treeTask) failed() (failed int) {
	for _, s := range t.steps {
		if s.state == state.StepError {
			failed++
		}
	}
	return failed
}

func (t *treeTask) halted() bool { return t.plan.onFailure == "halt" && t.failed() > 0 }

// decision is what becomes of a step that waits for no parent more.
func (t *treeTask) decision(n int) state.StepState {
	s := t.steps[n]
	total, pending, satisfied := t.count(n)
	join := s.join
	if s.begun || s.of >= 0 {
		join = "settled"
	}
	switch {
	case s.state != state.StepPending || pending > 0:
		return s.state
	case join == "all" && satisfied < total, join == "any" && total > 0 && satisfied == 0:
		return state.StepCancelled
	case t.halted() || s.isMap && s.of < 0:
		return s.state
	case s.after > 0 || s.child != nil || s.treePlan.child != nil:
		return state.StepSuspended
	}
	return state.StepEnqueued
}

// put moves a step, with what follows for its notes.
func (w *tree) put(t *treeTask, n int, to state.StepState) {
	s := t.steps[n]
	if s.state == state.StepSuspended && to != state.StepSuspended {
		s.due, s.start = time.Time{}, false
		if s.child != nil {
			s.cancel = true
		}
	}
	if to == state.StepSuspended {
		if s.after > 0 {
			s.due = w.now.Add(s.after)
		}
		if s.treePlan.child != nil {
			s.start, s.cancel = true, false
		}
	}
	s.state = to
}

// noteMap notes a map that may go on: one of its parents or instances has moved, or all steps are looked at.
func (t *treeTask) noteMap(n int) {
	s := t.steps[n]
	if !s.isMap || s.of >= 0 || s.state != state.StepPending {
		return
	}
	if _, pending, _ := t.count(n); pending == 0 || s.parallel > 0 && s.begun && s.expanded != s.elements {
		s.note = true
	}
}

// settle carries on from steps that have moved: failures that their maps tolerate, then level by level.
func (w *tree) settle(t *treeTask, moved ...int) {
	slices.Sort(moved)
	tolerated := map[int]int{} // of each map, before these
	for _, n := range moved {
		s := t.steps[n]
		if s.of < 0 || s.state != state.StepError || t.steps[s.of].allowed < 0 {
			continue
		}
		if m := t.steps[s.of]; m.state == state.StepPending {
			if _, known := tolerated[s.of]; !known {
				tolerated[s.of] = t.cancelled(s.of)
			}
		}
	}
	for _, n := range slices.Clone(moved) {
		s := t.steps[n]
		before, judged := tolerated[s.of]
		if !judged || s.state != state.StepError {
			continue
		}
		tolerated[s.of]++
		m := t.steps[s.of]
		if before < m.allowed {
			w.put(t, n, state.StepCancelled)
			continue
		}
		if m.state != state.StepPending {
			continue
		}
		w.put(t, s.of, state.StepError)
		for i, other := range t.steps {
			if other.of == s.of && other.state == state.StepEnqueued {
				w.put(t, i, state.StepCancelled)
				moved = append(moved, i)
			}
		}
	}
	for len(moved) > 0 {
		var children, next []int
		for _, n := range moved {
			if settles(t.steps[n].state) {
				children = append(children, t.children(n)...)
			}
		}
		slices.Sort(children)
		children = slices.Compact(children)
		to := make([]state.StepState, len(children))
		for i, n := range children {
			to[i] = t.decision(n)
		}
		for i, n := range children {
			if to[i] != t.steps[n].state {
				w.put(t, n, to[i])
				next = append(next, n)
			}
			t.noteMap(n)
		}
		moved = next
	}
}

// cancelled is how many failures of a map have been tolerated, or how many of its instances will never run.
func (t *treeTask) cancelled(m int) (cancelled int) {
	for _, s := range t.steps {
		if s.of == m && s.state == state.StepCancelled {
			cancelled++
		}
	}
	return cancelled
}

// advance looks through all steps, and evaluates.
func (w *tree) advance(t *treeTask) {
	if t.state.IsTerminal() {
		return
	}
	var moved []int
	to := make([]state.StepState, len(t.steps))
	for n := range t.steps {
		to[n] = t.decision(n)
	}
	for n, s := range t.steps {
		if to[n] != s.state {
			w.put(t, n, to[n])
			moved = append(moved, n)
		} else if _, pending, _ := t.count(n); s.state == state.StepPending && pending == 0 {
			t.noteMap(n)
		}
	}
	w.settle(t, moved...)
	w.evaluate(t)
}

func (w *tree) evaluate(t *treeTask) {
	if t.state.IsTerminal() {
		return
	}
	open, active, retrying, suspended, noted := 0, 0, 0, 0, false
	for _, s := range t.steps {
		switch {
		case s.state.IsTerminal():
		case s.state.IsInProcessingPipeline():
			active++
		case s.state == state.StepWaitingForRetry:
			retrying++
		case s.state == state.StepSuspended:
			suspended++
		}
		if !s.state.IsTerminal() {
			open++
		}
		noted = noted || s.note
	}
	failed := t.failed()
	switch {
	case active > 0:
		t.state = state.TaskStepsInProcess
	case retrying > 0:
		t.state = state.TaskWaitingForRetry
	case suspended > 0 || failed > 0 && noted:
		t.state = state.TaskWaitingForDependencies
	case failed > 0 && t.plan.onFailure == "fail":
		w.end(t, state.TaskError)
	case failed > 0:
		t.state = state.TaskBlockedByFailures
	case open > 0:
		t.state = state.TaskWaitingForDependencies
	default:
		w.end(t, state.TaskComplete)
	}
}

// end ends a task: of its notes those stay that tell its parent, and that cancel what its steps have started.
func (w *tree) end(t *treeTask, to state.TaskState) {
	t.state, t.deadline = to, time.Time{}
	t.ended = t.parent != nil
	for _, s := range t.steps {
		s.note, s.start, s.due = false, false, time.Time{}
	}
}

// sweep ends a task whose open steps are cancelled, or fail if they have begun.
func (w *tree) sweep(t *treeTask, to state.TaskState) {
	for n, s := range t.steps {
		switch {
		case s.state.IsTerminal():
		case to != state.TaskError:
			w.put(t, n, state.StepCancelled)
		case s.state != state.StepPending:
			w.put(t, n, state.StepError)
		}
	}
	w.end(t, to)
}

// result is what the parent's step of a complete task gets: the results of the steps that no other depends on.
func (t *treeTask) result() any {
	result := map[string]any{}
	for n, s := range t.steps {
		if s.state.SatisfiesDependencies() && len(t.children(n)) == 0 {
			result[s.name] = t.resultOf(n)
		}
	}
	return result
}

// resultOf is the result of a step; of a map that was not completed by hand, those of its instances.
func (t *treeTask) resultOf(n int) any {
	s := t.steps[n]
	if s.results != nil || !s.begun || s.of >= 0 {
		return s.results
	}
	list := []any{}
	for _, i := range t.instances(n) {
		list = append(list, t.steps[i].results)
	}
	return list
}

// instances are those of a map, in order.
func (t *treeTask) instances(m int) (list []int) {
	for n, s := range t.steps {
		if s.of == m {
			list = append(list, n)
		}
	}
	return list
}

// array is what a map runs over; false if there is none.
func (t *treeTask) array(m *treeStep) ([]any, bool) {
	if m.over < 0 {
		return t.lines, true
	}
	object, _ := t.steps[m.over].results.(map[string]any)
	list, there := object["list"].([]any)
	return list, there
}

// expand does what is due for a map.
func (w *tree) expand(t *treeTask, n int) {
	m := t.steps[n]
	_, pending, _ := t.count(n)
	m.note = false
	if t.state.IsTerminal() {
		return
	}
	if m.state != state.StepPending || t.halted() || !m.begun && pending > 0 {
		w.evaluate(t)
		return
	}
	count := 0
	array, there := t.array(m)
	if !m.begun || m.expanded < m.elements {
		if !there {
			w.put(t, n, state.StepError)
			w.settle(t, n)
			w.evaluate(t)
			return
		}
		if count = len(array) - m.expanded; m.parallel > 0 {
			count = max(min(count, m.parallel-pending), 0)
		}
		for i := range count {
			t.steps = append(t.steps, &treeStep{
				treePlan: m.treePlan, name: fmt.Sprintf("%s[%d]", m.name, m.expanded+i), of: n, index: m.expanded + i,
				state: state.StepEnqueued, element: array[m.expanded+i],
			})
		}
		m.begun, m.elements, m.expanded = true, len(array), m.expanded+count
	}
	if count > 0 || m.expanded < m.elements || pending > 0 {
		w.evaluate(t)
		return
	}
	to := state.StepComplete
	if m.allowed >= 0 && t.cancelled(n) > m.allowed {
		to = state.StepError
	}
	w.put(t, n, to)
	w.settle(t, n)
	w.evaluate(t)
}

// due is what a step or a task has to be looked at for.
type due struct {
	task *treeTask
	step int
}

// collect returns the steps for which something is due.
func (w *tree) collect(is func(*treeTask, *treeStep) bool) (found []due) {
	for _, t := range w.tasks {
		for n, s := range t.steps {
			if is(t, s) {
				found = append(found, due{t, n})
			}
		}
	}
	return found
}

// fire does what is due: what this makes due is for the next one.
func (w *tree) fire() {
	past := func(at time.Time) bool { return !at.IsZero() && !at.After(w.now) }
	retries := w.collect(func(_ *treeTask, s *treeStep) bool { return s.state == state.StepWaitingForRetry && past(s.retryAt) })
	waits := w.collect(func(_ *treeTask, s *treeStep) bool { return s.state == state.StepSuspended && past(s.due) })
	maps := w.collect(func(_ *treeTask, s *treeStep) bool { return s.note })
	starts := w.collect(func(_ *treeTask, s *treeStep) bool { return s.start })
	cancels := w.collect(func(_ *treeTask, s *treeStep) bool { return s.cancel })
	var ended []*treeTask
	for _, t := range w.tasks {
		if t.ended {
			ended = append(ended, t)
		}
		if past(t.deadline) {
			w.sweep(t, state.TaskError)
		}
	}
	w.fireRetries(retries)
	w.endWaits(waits, map[string]any{"by": "for"})
	for _, i := range w.maps(len(maps)) {
		w.expand(maps[i].task, maps[i].step)
	}
	// First, so that what is noted from here on stays.
	for _, d := range starts {
		d.task.steps[d.step].start = false
	}
	for _, d := range cancels {
		d.task.steps[d.step].cancel = false
	}
	for _, t := range ended {
		t.ended = false
	}
	for _, d := range starts {
		w.startChild(d.task, d.step)
	}
	w.tell(ended)
	for _, d := range cancels {
		s := d.task.steps[d.step]
		if s.state != state.StepSuspended && s.child != nil && !s.child.state.IsTerminal() {
			w.sweep(s.child, state.TaskCancelled)
		}
	}
}

func (w *tree) fireRetries(retries []due) {
	touched := map[*treeTask][]int{}
	for _, d := range retries {
		s := d.task.steps[d.step]
		if s.state != state.StepWaitingForRetry {
			continue
		}
		touched[d.task] = append(touched[d.task], d.step)
		switch {
		case d.task.halted():
			w.put(d.task, d.step, state.StepPending) // Another attempt is a start as well.
		case s.treePlan.child != nil:
			w.put(d.task, d.step, state.StepSuspended)
		default:
			w.put(d.task, d.step, state.StepEnqueued)
		}
	}
	for t := range touched {
		w.evaluate(t)
	}
}

// endWaits ends those of these waits that still are.
func (w *tree) endWaits(waits []due, result any) {
	moved := map[*treeTask][]int{}
	for _, d := range waits {
		s := d.task.steps[d.step]
		if s.state != state.StepSuspended {
			continue
		}
		w.put(d.task, d.step, state.StepComplete)
		s.results = result
		moved[d.task] = append(moved[d.task], d.step)
	}
	w.settleAll(moved)
}

func (w *tree) settleAll(moved map[*treeTask][]int) {
	for t, steps := range moved {
		w.settle(t, steps...)
		w.evaluate(t)
	}
}

// startChild starts the task that a step waits for, or lets it go on.
func (w *tree) startChild(t *treeTask, n int) {
	s := t.steps[n]
	if s.state != state.StepSuspended || s.treePlan.child == nil {
		return
	}
	switch c := s.child; {
	case c == nil || c.state == state.TaskCancelled:
		var deadline time.Time
		if t.deadline.After(w.now) {
			deadline = t.deadline
		}
		s.child = w.create(s.treePlan.child, t.lines, deadline)
		s.child.parent, s.child.step = t, n
		s.child.ended = s.child.state.IsTerminal()
	case c.state == state.TaskComplete || c.state == state.TaskResolvedManually:
		c.ended = true
	default:
		w.reset(c)
	}
}

// tell ends the waits for tasks that have ended.
func (w *tree) tell(ended []*treeTask) {
	moved := map[*treeTask][]int{}
	for _, c := range ended {
		if !c.state.IsTerminal() || c.parent == nil || c.parent.state.IsTerminal() {
			continue
		}
		s := c.parent.steps[c.step]
		if s.state != state.StepSuspended || s.child != c || s.start {
			continue
		}
		moved[c.parent] = append(moved[c.parent], c.step)
		switch {
		case c.state != state.TaskError && c.state != state.TaskCancelled:
			w.put(c.parent, c.step, state.StepComplete)
			s.results = c.result()
		case c.state == state.TaskCancelled || s.attempts+1 >= s.treePlan.attempts:
			w.put(c.parent, c.step, state.StepError)
		default:
			s.attempts++
			s.retryAt = time.Time{}
			w.put(c.parent, c.step, state.StepWaitingForRetry)
		}
		s.cancel = false
	}
	w.settleAll(moved)
}

// reset lets a failed or blocked task go on where it failed.
func (w *tree) reset(t *treeTask) answer {
	switch {
	case t.state.IsTerminal() && t.state != state.TaskError:
		return refused
	case t.state != state.TaskError && t.failed() == 0:
		return nothing
	case t.state == state.TaskError:
		t.state = state.TaskPending
		if t.due.After(w.now) {
			t.deadline = t.due
		}
	}
	for n, s := range t.steps {
		if s.state == state.StepError {
			w.again(t, n)
		}
	}
	w.advance(t)
	return done
}

func (w *tree) again(t *treeTask, n int) {
	w.put(t, n, state.StepPending)
	t.steps[n].attempts = 0
}

// finish records a result and returns the answer.
func (w *tree) finish(reports []treeReport) (answers []string) {
	moved := map[*treeTask][]int{}
	for _, r := range reports {
		s := r.task.steps[r.step]
		failed := r.results == nil
		switch {
		case s.state == state.StepCancelled:
			answers = append(answers, "cancelled")
		case s.claim != r.no:
			answers = append(answers, "stale")
		case s.state != state.StepInProgress:
			answers = append(answers, repeated(s.state, failed))
		case !failed:
			answers = append(answers, "completed")
			s.results = r.results
			w.put(r.task, r.step, state.StepComplete)
			moved[r.task] = append(moved[r.task], r.step)
		case s.attempts >= s.treePlan.attempts:
			answers = append(answers, "failed")
			w.put(r.task, r.step, state.StepError)
			moved[r.task] = append(moved[r.task], r.step)
		default:
			answers = append(answers, "retrying")
			s.retryAt = time.Time{}
			w.put(r.task, r.step, state.StepWaitingForRetry)
			moved[r.task] = append(moved[r.task], r.step)
		}
	}
	w.settleAll(moved)
	return answers
}

// treeReport is what a worker says of a step.
type treeReport struct {
	task     *treeTask
	step, no int
	results  any
}

// settleByHand completes a step with a result, or resolves it without.
func (w *tree) settleByHand(t *treeTask, n int, result any) answer {
	s := t.steps[n]
	to := state.StepResolvedManually
	if result != nil {
		to = state.StepComplete
	}
	switch {
	case s.state == to:
		return nothing
	case t.state.IsTerminal() || settles(s.state):
		return refused
	}
	w.put(t, n, to)
	if result != nil {
		s.results = result
	}
	for _, child := range t.children(n) {
		t.noteMap(child)
	}
	w.advance(t)
	return done
}

func (w *tree) retry(t *treeTask, n int) answer {
	switch s := t.steps[n]; {
	case t.state.IsTerminal():
		return refused
	case s.state == state.StepError:
		w.again(t, n)
	case s.state == state.StepWaitingForRetry:
		w.put(t, n, state.StepPending)
	case s.state == state.StepPending || s.state == state.StepEnqueued || s.state == state.StepInProgress || s.state == state.StepSuspended:
		return nothing
	default:
		return refused
	}
	w.advance(t)
	return done
}

// say tells a story of a tree, for failures.
func (w *tree) say() string {
	var b strings.Builder
	for i, t := range w.tasks {
		fmt.Fprintf(&b, "task %d %s %s %s:", i, t.id, t.plan.name, t.state)
		for _, s := range t.steps {
			raw, _ := json.Marshal(s.results)
			fmt.Fprintf(&b, " %s=%s%s", s.name, s.state, raw)
			if s.note || s.start || s.cancel {
				fmt.Fprintf(&b, "(note %v start %v cancel %v)", s.note, s.start, s.cancel)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}
