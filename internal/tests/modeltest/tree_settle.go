package modeltest

import (
	"slices"
	"time"

	"github.com/pgtasker/pgtasker/state"
)

// put moves a step, and updates its notes.
func (w *tree) put(t *treeTask, n int, to state.StepState) {
	s := t.steps[n]
	if to == state.StepEnqueued && s.within > 0 {
		s.late = w.now.Add(s.within)
	}
	if to == state.StepPending || to.IsTerminal() {
		s.holds = false
	}
	if s.state == state.StepSuspended && to != state.StepSuspended {
		s.due, s.start, s.snoozed = time.Time{}, false, false
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

// noteMap notes a map that may continue, because one of its parents or instances has moved, or because all steps are
// checked.
func (t *treeTask) noteMap(n int) {
	s := t.steps[n]
	if !s.isMap || s.of >= 0 || s.state != state.StepPending {
		return
	}
	if _, pending, _ := t.count(n); pending == 0 || s.parallel > 0 && s.begun && s.expanded != s.elements {
		s.note = true
	}
}

// settle continues from steps that have moved. It first handles failures that their maps tolerate, and then goes on
// level by level.
func (w *tree) settle(t *treeTask, moved ...int) {
	slices.Sort(moved)
	tolerated := map[int]int{} // of each map, before these steps
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

// cancelled returns how many failures of a map have been tolerated, or how many of its instances will never run.
func (t *treeTask) cancelled(m int) (cancelled int) {
	for _, s := range t.steps {
		if s.of == m && s.state == state.StepCancelled && !s.replaced {
			cancelled++
		}
	}
	return cancelled
}

// advance decides about all steps of the task, and then about the task.
func (w *tree) advance(t *treeTask) {
	if t.state.IsTerminal() || t.inLine() {
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

// end ends a task. It keeps only the notes that notify the task's parent, and the notes that cancel the tasks that
// its steps have started.
func (w *tree) end(t *treeTask, to state.TaskState) {
	t.state, t.deadline = to, time.Time{}
	t.ended = t.parent != nil
	t.paused = false
	for _, s := range t.steps {
		s.note, s.start, s.due, s.late = false, false, time.Time{}, time.Time{}
	}
	w.leave(t)
}

// sweep ends a task. Its open steps are cancelled, or fail if they have begun.
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

func (w *tree) settleAll(moved map[*treeTask][]int) {
	for t, steps := range moved {
		w.settle(t, steps...)
		w.evaluate(t)
	}
}
