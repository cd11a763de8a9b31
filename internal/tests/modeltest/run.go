package modeltest

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/pgtasker/pgtasker/state"
)

// runsPlan is the field runs of a template: how many of its tasks run at once for each key, and what a further task does.
type runsPlan struct {
	max            int
	order, further string
	sequence       bool
}

// treeRun is the row of a task in the line of its key.
type treeRun struct {
	state  string // waiting, running or ended
	rank   int
	lineAt time.Time
	lineNo int
	runAt  time.Time
}

func (t *treeTask) inLine() bool { return t.run != nil && t.run.state == "waiting" }

// enter puts a task into the line of its key. The task waits in the line from the given time on.
func (w *tree) enter(t *treeTask, at time.Time) {
	if t.run == nil {
		w.lines++
		t.run = &treeRun{lineNo: w.lines}
	}
	t.run.state, t.run.lineAt, t.run.rank, t.run.runAt = "waiting", at, 0, time.Time{}
	if t.plan.runs.order == "priority" {
		t.run.rank = t.priority
	}
}

// begin puts a new task into the line of its key, and starts the tasks that have a place.
func (w *tree) begin(t *treeTask, startAt time.Time) {
	if startAt.After(w.now) {
		w.enter(t, startAt)
		t.serveAt = startAt
		w.met["starts later"]++
		return
	}
	w.enter(t, w.now)
	w.serve(t)
	if t.inLine() {
		w.met["waits"]++
	}
}

// reenter puts a task that runs again at the end of the line of its key, unless it has kept its place.
func (w *tree) reenter(t *treeTask) {
	switch {
	case t.plan.runs == nil:
		return
	case t.run != nil && t.run.state == "running":
		w.met["reset in its place"]++
		return
	}
	w.met["at the end of the line"]++
	w.enter(t, w.now)
	t.serveAt = w.now
}

// leave takes a task that has ended out of the line of its key. A failed task of a sequence keeps its place.
func (w *tree) leave(t *treeTask) {
	t.serveAt = time.Time{}
	if t.run == nil {
		return
	}
	if t.run.state == "running" && t.state == state.TaskError && t.plan.runs.sequence {
		w.met["holds up its sequence"]++
		return
	}
	t.run.state, t.serveAt = "ended", w.now
}

// keyed returns the tasks with the same key as the given task that have this state in the line.
func (w *tree) keyed(t *treeTask, is string) (found []*treeTask) {
	for _, o := range w.tasks {
		if o.run != nil && o.plan.name == t.plan.name && o.key == t.key && o.run.state == is {
			found = append(found, o)
		}
	}
	return found
}

// line returns the waiting tasks of a key, without the tasks whose start is later.
func (w *tree) line(t *treeTask) []*treeTask {
	return slices.DeleteFunc(w.keyed(t, "waiting"), func(o *treeTask) bool { return o.run.lineAt.After(w.now) })
}

// serve starts the next tasks of a key. The version of the newest waiting task decides how many tasks run, and which tasks it replaces.
func (w *tree) serve(t *treeTask) {
	line := w.line(t)
	if len(line) == 0 {
		return
	}
	runs := slices.MaxFunc(line, arrival).plan.runs
	if slices.ContainsFunc(line, func(o *treeTask) bool { return *o.plan.runs != *runs }) {
		w.met["newer version decides"]++
	}
	w.replace(t, runs)
	line = w.line(t)
	slices.SortFunc(line, func(a, b *treeTask) int { return cmp.Or(b.run.rank-a.run.rank, arrival(a, b)) })
	line = line[:max(0, min(len(line), runs.max-len(w.keyed(t, "running"))))]
	for _, o := range line {
		if slices.ContainsFunc(w.line(t), func(p *treeTask) bool { return p.run.rank < o.run.rank && arrival(p, o) < 0 }) {
			w.met["overtakes"]++
		}
		if o.paused {
			w.met["paused in line"]++
		}
		o.run.state, o.run.runAt, o.serveAt = "running", w.now, time.Time{}
	}
	for _, o := range line {
		w.advance(o)
	}
}

// arrival orders tasks by the time since which they are in line.
func arrival(a, b *treeTask) int {
	return cmp.Or(a.run.lineAt.Compare(b.run.lineAt), a.run.lineNo-b.run.lineNo)
}

// replace cancels the tasks that the newest waiting tasks of a key replace.
func (w *tree) replace(t *treeTask, runs *runsPlan) {
	line, running := w.line(t), w.keyed(t, "running")
	free, keep := runs.max-len(running), 0
	slices.SortFunc(line, func(a, b *treeTask) int { return arrival(b, a) })
	switch runs.further {
	case "replace_waiting":
		keep, running = max(free, 1), nil
	case "cancel_running":
		keep = runs.max
	default:
		return
	}
	keep = min(keep, len(line))
	slices.SortFunc(running, func(a, b *treeTask) int {
		return cmp.Or(a.run.runAt.Compare(b.run.runAt), a.run.lineNo-b.run.lineNo)
	})
	for _, o := range line[keep:] {
		w.met["replaced"]++
		w.sweep(o, state.TaskCancelled)
	}
	for _, o := range running[:max(0, min(keep-free, len(running)))] {
		w.met["cancelled running"]++
		w.sweep(o, state.TaskCancelled)
	}
}

// fireRuns serves the keys of those tasks that have a note.
func (w *tree) fireRuns(tasks []*treeTask) {
	for _, t := range tasks {
		t.serveAt = time.Time{}
	}
	for _, t := range tasks {
		if t.run == nil {
			continue
		}
		left := t.run.state == "ended"
		w.serve(t)
		switch {
		case left && t.run.state == "ended":
			t.run = nil
		case t.inLine() && t.run.lineAt.After(w.now):
			t.serveAt = t.run.lineAt
		}
	}
}

// admit reports whether a further request creates a task. If it does not, admit also returns the existing task that answers the
// request.
func (w *tree) admit(t *treeTask) (bool, *treeTask) {
	runs := t.plan.runs
	if runs.further != "skip" && runs.further != "refuse" {
		return true, nil
	}
	running, waiting := w.keyed(t, "running"), w.keyed(t, "waiting")
	if len(running)+len(waiting) < runs.max {
		return true, nil
	}
	newest := func(a, b *treeTask) int { return arrival(b, a) }
	slices.SortFunc(running, newest)
	slices.SortFunc(waiting, newest)
	return false, append(running, waiting...)[0]
}

// skip lets a sequence go on without a task that has failed or is blocked.
func (w *tree) skip(t *treeTask) answer {
	switch {
	case (t.run == nil || t.run.state == "ended") && t.state.IsTerminal():
		return nothing
	case t.run == nil || t.run.state != "running" || t.state != state.TaskError && t.state != state.TaskBlockedByFailures:
		return refused
	case t.state == state.TaskBlockedByFailures:
		w.sweep(t, state.TaskError)
	}
	if t.run.state == "running" {
		t.run.state, t.serveAt = "ended", w.now
	}
	w.met["skipped"]++
	return done
}

// hold begins or ends the pause of a task.
func (w *tree) hold(t *treeTask, paused bool) answer {
	switch {
	case t.state.IsTerminal():
		return refused
	case t.paused == paused:
		return nothing
	}
	t.paused = paused
	if !paused {
		w.met["resumed"]++
	}
	return done
}

// changePriority changes the priority of a task, and its place in the line of its key if the priority counts there.
func (w *tree) changePriority(t *treeTask, priority int) answer {
	switch {
	case t.state.IsTerminal():
		return refused
	case t.priority == priority:
		return nothing
	case t.inLine() && t.plan.runs.order == "priority":
		t.run.rank += priority - t.priority
		w.met["rank changed"]++
	}
	t.priority = priority
	return done
}

// changeStart changes the start of a task that waits in a line.
func (w *tree) changeStart(t *treeTask, at time.Time) answer {
	if at.Before(w.now) {
		at = w.now
	}
	if !t.inLine() || !t.deadline.IsZero() && !t.deadline.After(at) {
		return refused
	}
	same := t.run.lineAt.Equal(at)
	t.run.lineAt, t.serveAt = at, w.now
	if same {
		return nothing
	}
	w.met["start changed"]++
	return done
}

// compareRuns returns the first difference between the lines of the engine and the lines of the model.
func (w *tree) compareRuns() string {
	lines := slices.DeleteFunc(slices.Clone(w.tasks), func(t *treeTask) bool { return t.run == nil })
	slices.SortFunc(lines, func(a, b *treeTask) int { return a.run.lineNo - b.run.lineNo })
	if len(lines) != len(w.rows.runs) {
		return fmt.Sprintf("the lines have %d tasks, not %d", len(w.rows.runs), len(lines))
	}
	for i, t := range lines {
		have := w.rows.runs[i]
		if have.runAt != nil {
			have.runAt = new(have.runAt.UTC())
		}
		have.lineAt = have.lineAt.UTC()
		want := runRow{task: t.id, key: t.key, state: t.run.state, rank: t.run.rank, lineAt: t.run.lineAt.UTC(), runAt: have.runAt}
		if (have.runAt == nil) != t.run.runAt.IsZero() || have.runAt != nil && !have.runAt.Equal(t.run.runAt) {
			return fmt.Sprintf("task %s has its place since %v, not %s", t.id, have.runAt, t.run.runAt)
		}
		if have != want {
			return fmt.Sprintf("the row of the line is %+v, not %+v", have, want)
		}
	}
	return ""
}
