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

// treePlan is a step of a template whose tasks form a tree. The step has a handler, or is a map, a wait, or a task of the next
// level.
type treePlan struct {
	name     string
	join     string
	parents  []int
	attempts int // of a handler, a map's instances, or a step with a task

	isMap    bool
	over     int // the step with the array, or -1 for the context
	parallel int // 0 means all
	allowed  int // -1 if failures are not tolerated

	after time.Duration // a wait for a time or the signal "go"
	child *treeTemplate

	within time.Duration // how long it may wait for a worker, 0: for any time
	slot   bool          // its run holds a place of the limit "slot"
}

// treeTemplate is a template of one level.
type treeTemplate struct {
	name      string
	onFailure string
	version   string
	steps     []treePlan
	runs      *runsPlan // nil: its tasks are not bounded
}

// treeStep is the expected state of a step in the engine. The instances of maps come after the steps of the template.
type treeStep struct {
	*treePlan
	name     string
	of       int // the map of an instance, or -1
	index    int
	state    state.StepState
	attempts int
	claim    int
	retryAt  time.Time
	due      time.Time // of a wait
	snoozed  bool      // it waits because its handler asked for it
	late     time.Time // when it fails if no worker has started it
	holds    bool      // its run has a place of the limit "slot"
	results  any       // nil: none
	element  any

	begun              bool // a map
	elements, expanded int
	note               bool // a timer is due for it

	replaced bool // an instance whose map has begun again

	child  *treeTask
	start  bool // its task is to be started, or to continue
	cancel bool // its task is to be cancelled
}

// treeTask is the expected state of a task in the engine.
type treeTask struct {
	id       uuid.UUID // nil until the engine has named it
	plan     *treeTemplate
	parent   *treeTask
	step     int // the step of the parent
	state    state.TaskState
	deadline time.Time
	due      time.Time
	ended    bool // its parent is to be notified of its end
	dropped  bool // it is to be cancelled: the step that started it runs again
	lines    []any
	steps    []*treeStep

	key      string
	priority int
	paused   bool
	run      *treeRun  // nil: it is in no line
	serveAt  time.Time // when the line of its key is served because of it
}

// tree has a task and the tasks that its steps have started, and the clock.
type tree struct {
	tasks []*treeTask
	now   time.Time
	lines int            // the number of the newest task in a line
	slots int            // the places of the limit "slot"
	met   map[string]int // how often each case of the lines was met
	rows  treeRows       // the rows of the engine after the call
	// maps returns the order in which the engine handles the maps of a task that are due at the same time. The engine may
	// choose this order.
	maps func(maps []due) []int
}

// create creates a task that begins at once, or gets in the line of its key.
func (w *tree) create(t *treeTask, startAt time.Time) *treeTask {
	t.state, t.due = state.TaskPending, t.deadline
	for n := range t.plan.steps {
		t.steps = append(t.steps, &treeStep{treePlan: &t.plan.steps[n], name: t.plan.steps[n].name, of: -1, state: state.StepPending})
	}
	w.tasks = append(w.tasks, t)
	if t.plan.runs != nil {
		w.begin(t, startAt)
	} else {
		w.advance(t)
	}
	return t
}

// parents returns the steps that a step depends on. An instance depends on the parents of its map. A map that has begun
// depends on its instances, too.
func (t *treeTask) parents(n int) (parents []int) {
	s := t.steps[n]
	if s.replaced {
		return nil
	}
	parents = slices.Clone(s.parents)
	if s.isMap && s.of < 0 {
		for i, other := range t.steps {
			if other.of == n && !other.replaced {
				parents = append(parents, i)
			}
		}
	}
	return parents
}

// children returns the steps that depend on a step.
func (t *treeTask) children(n int) (children []int) {
	for i := range t.steps {
		if slices.Contains(t.parents(i), n) {
			children = append(children, i)
		}
	}
	return children
}

// count returns the number of a step's parents, of its pending parents, and of the parents that satisfy it.
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

// decision returns the next state of a step whose parents have all settled.
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

// result returns the result that a complete task gives to the parent's step: the results of the steps that no other step
// depends on.
func (t *treeTask) result() any {
	result := map[string]any{}
	for n, s := range t.steps {
		if s.state.SatisfiesDependencies() && len(t.children(n)) == 0 {
			result[s.name] = t.resultOf(n)
		}
	}
	return result
}

// resultOf returns the result of a step. For a map that an operator did not complete, it is the results of its
// instances.
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

// instances returns the instances of a map, in order.
func (t *treeTask) instances(m int) (list []int) {
	for n, s := range t.steps {
		if s.of == m && !s.replaced {
			list = append(list, n)
		}
	}
	return list
}

// array returns the array that a map runs over, or false if it does not exist.
func (t *treeTask) array(m *treeStep) ([]any, bool) {
	if m.over < 0 {
		return t.lines, true
	}
	object, _ := t.steps[m.over].results.(map[string]any)
	list, there := object["list"].([]any)
	return list, there
}

// say returns a description of a tree for the messages of failures.
func (w *tree) say() string {
	var b strings.Builder
	for i, t := range w.tasks {
		fmt.Fprintf(&b, "task %d %s %s %s:", i, t.id, t.plan.name, t.state)
		if t.run != nil {
			fmt.Fprintf(&b, " key %s %s (paused %v, serve %s)", t.key, t.run.state, t.paused, t.serveAt)
		}
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

// treeRows has the rows of the engine.
type treeRows struct {
	tasks map[uuid.UUID]state.TaskState
	steps map[uuid.UUID]map[string]treeRow
	notes map[string]bool
	runs  []runRow // in the order in which the tasks got in line
}

// runRow is a row of the lines, with what is due for its task.
type runRow struct {
	task       uuid.UUID
	key, state string
	rank       int
	lineAt     time.Time
	runAt      *time.Time
}

type treeRow struct {
	no                        int
	state                     state.StepState
	attempts, claim           int
	total, pending, satisfied int
	results, element          any
	retryAt                   *time.Time
	child                     *uuid.UUID
}
