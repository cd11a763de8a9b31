package modeltest

import (
	"reflect"
	"time"

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

// treeReport is a worker's report about a step.
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
