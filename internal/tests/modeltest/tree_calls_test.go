package modeltest

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/tests/enginetest"
	"github.com/pgtasker/pgtasker/state"
)

// treeClaim is a step that the worker has or had.
type treeClaim struct {
	task uuid.UUID
	step string
	no   int
	id   uuid.UUID
}

// act makes one call of a worker, of time or of an operator.
func (g *grove) act() {
	g.Helper()
	switch g.r.IntN(12) {
	case 0, 1, 2, 3, 4:
		g.work(5)
	case 5:
		g.pass(time.Duration(1+g.r.IntN(30)) * time.Second)
	case 6, 7:
		g.fireTimers()
	case 8:
		g.signal()
	default:
		g.operate()
	}
}

func (g *grove) pass(d time.Duration) {
	g.Helper()
	now, err := enginetest.Pass(g.Context(), g.pool, d)
	require.NoError(g, err)
	g.now = now
	g.say("pass %s", d)
}

func (g *grove) fireTimers() {
	g.Helper()
	_, err := g.e.FireDueTimers(g.Context(), 1000)
	require.NoError(g, err)
	g.predict("fire timers", func(w *tree) string { w.fire(); return "" })
}

// work reports some of the held steps, with some failures, and may claim all ready steps.
func (g *grove) work(failures int) {
	g.Helper()
	var sent, kept []treeClaim
	var results []direct.StepResult
	var values []any
	for _, c := range g.held {
		if g.keyed && failures > 0 && g.r.IntN(8) == 0 {
			g.snooze(c)
			continue
		}
		if failures > 0 && g.r.IntN(3) == 0 {
			kept = append(kept, c)
			continue
		}
		result := direct.StepResult{StepClaim: direct.StepClaim{StepUUID: c.id, ClaimNo: int32(c.no)}}
		if failures > 0 && g.r.IntN(failures) == 0 {
			result.Error = "no"
			values = append(values, nil)
		} else {
			result.Results = g.result()
			values = append(values, value(result.Results))
		}
		sent, results = append(sent, c), append(results, result)
	}
	limit := 60
	if failures > 0 && g.r.IntN(3) == 0 {
		limit = 0
	}
	reply, err := g.e.ExchangeSteps(g.Context(), direct.Exchange{Results: results, ClaimRequest: direct.ClaimRequest{
		WorkerUUID: g.worker, Namespaces: []string{g.namespace}, Limit: limit, Lease: 23 * time.Hour,
	}})
	require.NoError(g, err)
	g.held = kept
	for _, c := range reply.Claimed {
		g.held = append(g.held, treeClaim{task: c.TaskUUID, step: c.Name, no: int(c.ClaimNo), id: c.StepUUID})
	}
	g.predict(fmt.Sprintf("exchange %d results %v of %v, claim %d", len(results), values, sent, len(reply.Claimed)), func(w *tree) string {
		var reports []treeReport
		for i, c := range sent {
			t, _ := w.find(c.task, c.step)
			n := int(c.id[14])<<8 + int(c.id[15]) - 1
			reports = append(reports, treeReport{task: t, step: n, no: c.no, results: values[i]})
		}
		for i, want := range w.finish(reports) {
			if have := string(reply.Answers[i].Answer); want != have {
				return fmt.Sprintf("%s of %s was answered %s, not %s", sent[i].step, sent[i].task, have, want)
			}
		}
		if limit == 0 {
			return ""
		}
		w.fire()
		for round := 0; round < 3 && w.claimable() == 0 && w.fireRest(); round++ {
		}
		if wrong := w.adopt(); wrong != "" {
			return wrong
		}
		if want := w.claimable(); want != len(reply.Claimed) {
			return fmt.Sprintf("%d steps were claimed, not %d", len(reply.Claimed), want)
		}
		for _, c := range reply.Claimed {
			if wrong := w.start(c.TaskUUID, c.Name); wrong != "" {
				return wrong
			}
		}
		w.countHolders()
		if have := w.holders(); have > w.slots {
			return fmt.Sprintf("%d runs hold a place of the limit, which has %d", have, w.slots)
		}
		return ""
	})
}

// result returns a handler's result: an array for a map, at times none.
func (g *grove) result() json.RawMessage {
	if g.r.IntN(10) == 0 {
		return json.RawMessage(`{"n": 1}`)
	}
	list := make([]int, g.r.IntN(5))
	for i := range list {
		list[i] = g.r.IntN(100)
	}
	raw, err := json.Marshal(map[string]any{"n": g.r.IntN(100), "list": list})
	require.NoError(g, err)
	return raw
}

// signal ends the first wait of a task with waits.
func (g *grove) signal() {
	g.Helper()
	waits := g.collect(func(_ *treeTask, s *treeStep) bool { return s.state == state.StepSuspended && s.after > 0 })
	if len(waits) == 0 {
		return
	}
	task := waits[g.r.IntN(len(waits))].task.id
	answer, err := g.e.SendSignal(g.Context(), task, executor.Signal{Name: "go", Payload: json.RawMessage(`{}`)})
	require.NoError(g, err)
	require.EqualValues(g, "delivered", answer.Answer)
	g.predict("signal to "+task.String(), func(w *tree) string {
		for _, d := range w.collect(func(t *treeTask, s *treeStep) bool {
			return t.id == task && s.state == state.StepSuspended && s.after > 0
		})[:1] {
			w.endWaits([]due{d}, value(map[string]any{
				"by": "signal", "name": "go", "payload": map[string]any{}, "sent_at": w.now.UTC().Format("2006-01-02T15:04:05.000000Z"),
			}))
		}
		return ""
	})
}

// operate makes a call of an operator on a step or a task.
func (g *grove) operate() {
	g.Helper()
	t := g.tasks[g.r.IntN(len(g.tasks))]
	number := g.r.IntN(len(t.steps))
	s, id := t.steps[number], stepID(t.id, number)
	var did bool
	var err error
	var model func(w *tree, t *treeTask, n int) answer
	var what string
	switch g.r.IntN(12) {
	case 9, 10:
		what = "rerun"
		did, err = g.e.RerunStep(g.Context(), sqlfn.RerunStepParams{StepUUID: id, Reason: "a test"})
		model = func(w *tree, t *treeTask, n int) answer { return w.rerun(t, n, nil) }
	case 11:
		what = "correct"
		result := g.result()
		did, err = g.e.RerunStep(g.Context(), sqlfn.RerunStepParams{StepUUID: id, Reason: "a test", Results: result})
		model = func(w *tree, t *treeTask, n int) answer { return w.rerun(t, n, value(result)) }
	case 0:
		if g.r.IntN(3) > 0 {
			return
		}
		what = "cancel"
		did, err = g.e.CancelTask(g.Context(), t.id, "", "")
		model = func(w *tree, t *treeTask, _ int) answer {
			if t.state.IsTerminal() {
				return nothing
			}
			w.sweep(t, state.TaskCancelled)
			return done
		}
	case 1, 2:
		what = "reset"
		did, err = g.e.ResetTask(g.Context(), t.id, "", "")
		model = func(w *tree, t *treeTask, _ int) answer { return w.reset(t) }
	case 3, 4, 5:
		what = "retry"
		did, err = g.e.RetryStep(g.Context(), id, "", "")
		model = (*tree).retry
	case 6:
		what = "resolve"
		did, err = g.e.ResolveStepManually(g.Context(), id, "", "")
		model = func(w *tree, t *treeTask, n int) answer { return w.settleByHand(t, n, nil) }
	case 7:
		what = "complete"
		result := g.result()
		did, err = g.e.CompleteStepManually(g.Context(), sqlfn.CompleteStepManuallyParams{StepUUID: id, Results: result, Reason: "a test"})
		model = func(w *tree, t *treeTask, n int) answer { return w.settleByHand(t, n, value(result)) }
	default:
		what = "give up"
		did, err = g.e.GiveUpTask(g.Context(), t.id, "", "")
		model = func(w *tree, t *treeTask, _ int) answer {
			switch t.state {
			case state.TaskError:
				return nothing
			case state.TaskBlockedByFailures:
				w.sweep(t, state.TaskError)
				return done
			}
			return refused
		}
	}
	have := answer(fmt.Sprint(did))
	if errors.Is(err, executor.ErrConflict) {
		have, err = refused, nil
	}
	require.NoError(g, err)
	task, step := t.id, s.name
	g.predict(fmt.Sprintf("%s %s of %s: %s", what, step, task, have), func(w *tree) string {
		t, n := w.find(task, step)
		if want := model(w, t, n); want != have {
			return fmt.Sprintf("the answer is %s, not %s", have, want)
		}
		return ""
	})
}

// drain lets workers and time continue without failures, and an operator reset failed steps, until the task has ended. A
// map over a result that is not an array fails each time. An operator then gives the task up.
func (g *grove) drain() {
	g.Helper()
	for turn := 0; ; turn++ {
		require.Less(g, turn, 40, "the tree does not end")
		root := g.tasks[0]
		if root.state == state.TaskComplete || root.state == state.TaskCancelled || turn > 30 && root.state.IsTerminal() {
			break
		}
		if turn > 30 {
			_, err := g.e.CancelTask(g.Context(), root.id, "", "")
			require.NoError(g, err)
			g.predict("cancel", func(w *tree) string { w.sweep(w.tasks[0], state.TaskCancelled); return "" })
			break
		}
		g.work(0)
		g.pass(20 * time.Second)
		g.fireTimers()
		if turn%6 == 5 {
			// Tasks are reset from the top, since resetting a task resets the tasks that its steps wait for.
			for i := range g.tasks {
				if t := g.tasks[i]; t.state == state.TaskError || !t.state.IsTerminal() && t.failed() > 0 {
					_, err := g.e.ResetTask(g.Context(), t.id, "", "")
					require.NoError(g, err)
					id := t.id
					g.predict("reset "+id.String(), func(w *tree) string {
						t, _ := w.find(id, "")
						w.reset(t)
						return ""
					})
				}
			}
		}
	}
	ids := []uuid.UUID{}
	for _, t := range g.tasks {
		ids = append(ids, t.id)
	}
	found, err := enginetest.Violations(g.Context(), g.pool, ids)
	require.NoError(g, err)
	require.Empty(g, found)
}
