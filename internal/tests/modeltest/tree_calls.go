package modeltest

import (
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/state"
)

// reset lets a failed or blocked task continue where it failed.
func (w *tree) reset(t *treeTask) answer {
	switch {
	case t.state.IsTerminal() && t.state != state.TaskError:
		return refused
	case t.state != state.TaskError && t.failed() == 0:
		return nothing
	case t.state == state.TaskError:
		t.state = state.TaskPending
		w.reenter(t)
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

// snooze lets a running step run again later. The attempt does not count.
func (w *tree) snooze(t *treeTask, n, claim int, d time.Duration) string {
	s := t.steps[n]
	switch {
	case s.state == state.StepCancelled:
		return "cancelled"
	case s.state != state.StepInProgress || s.claim != claim:
		return "stale"
	}
	w.put(t, n, state.StepSuspended)
	s.attempts, s.due, s.snoozed = s.attempts-1, w.now.Add(d), true
	w.evaluate(t)
	w.met["snoozed"]++
	return "suspended"
}

// treeReport is a worker's report about a step.
type treeReport struct {
	task     *treeTask
	step, no int
	results  any
}

// settleByHand completes a step with a result, or resolves it without a result.
func (w *tree) settleByHand(t *treeTask, n int, result any) answer {
	s := t.steps[n]
	to := state.StepResolvedManually
	if result != nil {
		to = state.StepComplete
	}
	switch {
	case result != nil && s.state == to && !reflect.DeepEqual(s.results, result):
		return refused
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

// rerun lets a step and all its descendants run again. If a result is given, the step gets the result, and only the
// descendants run again.
func (w *tree) rerun(t *treeTask, n int, right any) answer {
	s := t.steps[n]
	ended := s.state == state.StepComplete || s.state == state.StepResolvedManually || s.state == state.StepError
	switch {
	case t.state == state.TaskCancelled || t.state == state.TaskResolvedManually || t.taken() || s.state == state.StepCancelled:
		return refused
	case right != nil && (s.isMap && s.of < 0 || !ended):
		return refused
	case !ended || right != nil && s.state == state.StepComplete && reflect.DeepEqual(s.results, right):
		return nothing
	}
	below := t.below(n)
	failed := t.state == state.TaskError
	if t.state.IsTerminal() {
		t.state = state.TaskPending
		w.reenter(t)
		if t.due.After(w.now) {
			t.deadline = t.due
		}
	}
	replaced := t.replaced(n, below)
	for _, i := range replaced {
		w.put(t, i, state.StepCancelled)
		k := t.steps[i]
		k.results, k.attempts, k.replaced = nil, 0, true
		k.name += fmt.Sprintf(" no. %d", i+1)
	}
	for i, k := range t.steps {
		switch {
		case k.replaced:
		case below[i] && (i != n || right == nil):
			w.restart(t, i)
		case failed && k.state == state.StepError && i != n:
			w.again(t, i)
		}
	}
	if right != nil {
		w.again(t, n)
		w.put(t, n, state.StepComplete)
		s.results = right
		for _, child := range t.children(n) {
			t.noteMap(child)
		}
	}
	w.advance(t)
	return done
}

// restart lets a step begin without any data of its former run.
func (w *tree) restart(t *treeTask, n int) {
	k := t.steps[n]
	if k.state != state.StepPending {
		w.again(t, n)
	}
	k.attempts, k.results, k.note = 0, nil, false
	if k.child != nil {
		k.child.dropped = k.child.dropped || !k.child.state.IsTerminal()
		k.child = nil
	}
	if k.isMap && k.of < 0 && len(t.instances(n)) == 0 {
		k.begun, k.elements, k.expanded = false, 0, 0
	}
}

// taken reports whether the step that started the task has the task's result.
func (t *treeTask) taken() bool {
	return t.parent != nil && t.state.IsTerminal() && t.parent.steps[t.step].child == t && t.parent.steps[t.step].state == state.StepComplete
}

// below are a step, a map's instances, and all steps that depend on one of these.
func (t *treeTask) below(n int) map[int]bool {
	todo := append([]int{n}, t.instances(n)...)
	found := map[int]bool{}
	for _, i := range todo {
		found[i] = true
	}
	for ; len(todo) > 0; todo = todo[1:] {
		for _, child := range t.children(todo[0]) {
			if !found[child] {
				found[child] = true
				todo = append(todo, child)
			}
		}
	}
	return found
}

// replaced are the instances of maps that begin again: the instances of the step itself, and of maps that depend on a step
// that runs again.
func (t *treeTask) replaced(n int, below map[int]bool) (list []int) {
	for m, k := range t.steps {
		if !k.isMap || k.of >= 0 || !below[m] {
			continue
		}
		if m == n || slices.ContainsFunc(k.parents, func(p int) bool { return below[p] }) {
			list = append(list, t.instances(m)...)
		}
	}
	return list
}

// ready are the steps that a claim may take.
func (w *tree) ready() []due {
	return w.collect(func(t *treeTask, s *treeStep) bool { return s.state == state.StepEnqueued && !t.paused })
}

// holders counts the runs that hold a place of the limit.
func (w *tree) holders() int {
	return len(w.collect(func(_ *treeTask, s *treeStep) bool { return s.holds }))
}

// countHolders counts the runs that hold a place and do not run now.
func (w *tree) countHolders() {
	if slices.ContainsFunc(w.tasks, func(t *treeTask) bool {
		return slices.ContainsFunc(t.steps, func(s *treeStep) bool { return s.holds && s.state != state.StepInProgress })
	}) {
		w.met["place held while it waits"]++
	}
}

// claimable counts the ready steps that have a place: all, except the runs that wait for the limit.
func (w *tree) claimable() (count int) {
	free := w.slots - w.holders()
	for _, d := range w.ready() {
		if s := d.task.steps[d.step]; s.slot && !s.holds {
			if free <= 0 {
				w.met["waits for a place"]++
				continue
			}
			free--
		}
		count++
	}
	return count
}

// start starts a step that a claim has taken.
func (w *tree) start(task uuid.UUID, step string) string {
	ready := w.ready()
	at := slices.IndexFunc(ready, func(d due) bool { return d.task.id == task && d.task.steps[d.step].name == step })
	if at < 0 {
		return fmt.Sprintf("%s of %s is not ready and was claimed", step, task)
	}
	s := ready[at].task.steps[ready[at].step]
	s.state, s.claim, s.attempts, s.holds = state.StepInProgress, s.claim+1, s.attempts+1, s.slot
	return ""
}
