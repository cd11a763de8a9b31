package modeltest

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	"github.com/pgtasker/pgtasker/state"
)

// expand does the due work of a map.
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

// due is a step or a task with a note that is due.
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

// fire does due work. The next call does work that becomes due meanwhile.
func (w *tree) fire() {
	past := func(at time.Time) bool { return !at.IsZero() && !at.After(w.now) }
	retries := w.collect(func(_ *treeTask, s *treeStep) bool { return s.state == state.StepWaitingForRetry && past(s.retryAt) })
	waits := w.collect(func(_ *treeTask, s *treeStep) bool { return s.state == state.StepSuspended && past(s.due) })
	maps := w.collect(func(_ *treeTask, s *treeStep) bool { return s.note })
	late := w.collect(func(_ *treeTask, s *treeStep) bool { return past(s.late) })
	notes := w.notes()
	var runs []*treeTask
	for _, t := range w.tasks {
		if past(t.serveAt) {
			runs = append(runs, t)
		}
	}
	slices.SortFunc(runs, func(a, b *treeTask) int { return bytes.Compare(a.id[:], b.id[:]) })
	for _, t := range w.tasks {
		if past(t.deadline) {
			w.sweep(t, state.TaskError)
		}
	}
	w.fireRetries(retries)
	w.endWaits(waits, map[string]any{"by": "for"})
	w.failLate(late)
	for _, i := range w.maps(maps) {
		w.expand(maps[i].task, maps[i].step)
	}
	w.fireNotes(notes)
	w.fireRuns(runs)
}

// fireRest is the further work of a claim that has done the due work and finds no ready step. It fires the notes between tasks
// that came meanwhile, and reports whether there was a note.
func (w *tree) fireRest() bool {
	notes := w.notes()
	w.fireNotes(notes)
	return len(notes.starts)+len(notes.cancels)+len(notes.ended)+len(notes.dropped) > 0
}

// notes are those between tasks.
type notes struct {
	starts, cancels []due
	ended, dropped  []*treeTask
}

func (w *tree) notes() (n notes) {
	n.starts = w.collect(func(t *treeTask, s *treeStep) bool { return s.start && !t.paused })
	n.cancels = w.collect(func(_ *treeTask, s *treeStep) bool { return s.cancel })
	for _, t := range w.tasks {
		if t.ended {
			n.ended = append(n.ended, t)
		}
		if t.dropped {
			n.dropped = append(n.dropped, t)
		}
	}
	return n
}

func (w *tree) fireNotes(n notes) {
	// These come first, so that notes from here on stay.
	for _, d := range n.starts {
		d.task.steps[d.step].start = false
	}
	for _, d := range n.cancels {
		d.task.steps[d.step].cancel = false
	}
	for _, t := range n.ended {
		t.ended = false
	}
	for _, t := range n.dropped {
		t.dropped = false
	}
	for _, t := range n.dropped {
		if !t.state.IsTerminal() {
			w.sweep(t, state.TaskCancelled)
		}
	}
	for _, d := range n.cancels {
		s := d.task.steps[d.step]
		if s.state != state.StepSuspended && s.child != nil && !s.child.state.IsTerminal() {
			w.sweep(s.child, state.TaskCancelled)
		}
	}
	slices.SortStableFunc(n.starts, func(a, b due) int { return bytes.Compare(a.task.id[:], b.task.id[:]) })
	for _, d := range n.starts {
		w.startChild(d.task, d.step)
	}
	w.tell(n.ended)
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

// failLate fails the steps that no worker has started in time. A running step has its time again when it is back in the queue.
func (w *tree) failLate(late []due) {
	moved := map[*treeTask][]int{}
	for _, d := range late {
		s := d.task.steps[d.step]
		if s.late.After(w.now) {
			continue
		}
		s.late = time.Time{}
		w.met["start in time"]++
		if s.state == state.StepEnqueued {
			w.met["late start"]++
			w.put(d.task, d.step, state.StepError)
			moved[d.task] = append(moved[d.task], d.step)
		}
	}
	w.settleAll(moved)
}

// endWaits ends the open waits among these waits. A handler that has asked for the wait runs again.
func (w *tree) endWaits(waits []due, result any) {
	moved := map[*treeTask][]int{}
	for _, d := range waits {
		s := d.task.steps[d.step]
		if s.state != state.StepSuspended {
			continue
		}
		if s.snoozed {
			w.put(d.task, d.step, state.StepEnqueued)
			moved[d.task] = append(moved[d.task], d.step)
			continue
		}
		w.put(d.task, d.step, state.StepComplete)
		s.results = result
		moved[d.task] = append(moved[d.task], d.step)
	}
	w.settleAll(moved)
}

// startChild starts the task that a step waits for, or lets it continue.
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
		s.child = w.create(&treeTask{plan: s.treePlan.child, parent: t, step: n, lines: t.lines, key: t.key, priority: t.priority, deadline: deadline}, w.now)
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
