package modeltest

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/tests/enginetest"
	"github.com/pgtasker/pgtasker/state"
)

// TestTrees_AgreeWithTheModelCallByCall has a task whose steps are handlers, maps, waits and tasks of two more levels, and what
// workers, time and operators do to it and to the tasks below it, one call after the other. After each call every task, every
// step, instances among them, and every note must be what the model says.
func TestTrees_AgreeWithTheModelCallByCall(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	now, err := enginetest.Prepare(t.Context(), pool)
	require.NoError(t, err)

	seen := map[string]int{}
	rounds(t, 8, 2000, func(t *testing.T, seed uint64, r *rand.Rand) {
		g := &grove{
			T: t, tree: &tree{now: now}, pool: pool, e: executor.New(pool), r: r, worker: uuid.New(), seen: seen,
			namespace: enginetest.Namespaces[r.IntN(2)*2].Name, name: fmt.Sprintf("tree%d", seed),
		}
		defer func() {
			now = g.now
			if t.Failed() {
				for _, line := range g.story {
					t.Log(line)
				}
			}
		}()
		g.plant()
		for range 40 + r.IntN(50) {
			g.act()
		}
		g.drain()
	})
	t.Logf("ends of steps: %v", seen)
	for _, kind := range []string{"map complete", "map error", "instance cancelled", "task complete", "wait complete"} {
		// One seed, given by PGTASKER_SEED, may not come to every kind.
		require.True(t, seen[kind] > 0 || os.Getenv("PGTASKER_SEED") != "", "a model that meets no %s says nothing about it", kind)
	}
}

// grove is one round: the engine and the model side by side.
type grove struct {
	*testing.T
	*tree
	pool            *pgxpool.Pool
	e               *executor.SqlFunctionExecutor
	r               *rand.Rand
	worker          uuid.UUID
	namespace, name string
	held            []treeClaim
	story           []string
	seen            map[string]int
}

// treeClaim is a step in the hands of the worker, or once so.
type treeClaim struct {
	task uuid.UUID
	step string
	no   int
	id   uuid.UUID
}

func (g *grove) say(format string, args ...any) {
	g.story = append(g.story, fmt.Sprintf(format, args...))
}

// value is the value that JSON has when it was read.
func value(from any) (to any) {
	raw, ok := from.(json.RawMessage)
	if !ok {
		raw, _ = json.Marshal(from)
	}
	_ = json.Unmarshal(raw, &to)
	return to
}

// plant registers a template for each level, and creates a task of the first.
func (g *grove) plant() {
	g.Helper()
	var below *treeTemplate
	for level := 2; level >= 0; level-- {
		plan := &treeTemplate{name: fmt.Sprintf("%s_%d", g.name, level), onFailure: []string{"fail", "fail", "continue", "halt"}[g.r.IntN(4)]}
		var handlers []int
		for n := range 2 + g.r.IntN(4) {
			s := treePlan{name: fmt.Sprintf("s%d", n), join: []string{"all", "all", "settled", "any"}[g.r.IntN(4)], attempts: 1 + g.r.IntN(2), over: -1, allowed: -1}
			s.parents = g.r.Perm(n)[:min(n, g.r.IntN(3))]
			switch kind := g.r.IntN(7); {
			case kind < 2:
				s.isMap = true
				if len(handlers) > 0 && g.r.IntN(3) > 0 {
					s.over = handlers[g.r.IntN(len(handlers))]
					if !slices.Contains(s.parents, s.over) {
						s.parents = append(s.parents, s.over)
					}
				}
				if g.r.IntN(2) == 0 {
					s.parallel = 1 + g.r.IntN(3)
				}
				if g.r.IntN(2) == 0 {
					s.allowed = g.r.IntN(3)
				}
			case kind == 2:
				s.after = time.Duration(20+g.r.IntN(40)) * time.Second
			case kind < 5 && below != nil:
				s.child = below
			default:
				handlers = append(handlers, n)
			}
			slices.Sort(s.parents)
			plan.steps = append(plan.steps, s)
		}
		raw, err := json.Marshal(plan.json(g.namespace))
		require.NoError(g, err)
		g.say("template %s", raw)
		_, err = g.e.RegisterTaskTemplate(g.Context(), raw)
		require.NoError(g, err, string(raw))
		below = plan
	}
	lines := make([]int, g.r.IntN(5))
	for i := range lines {
		lines[i] = 1000 + i
	}
	raw, err := json.Marshal(map[string]any{"lines": lines})
	require.NoError(g, err)
	options := executor.TaskOptions{}
	if g.r.IntN(4) == 0 {
		options.Deadline = g.now.Add(time.Duration(1+g.r.IntN(3)) * time.Minute)
	}
	made, err := g.e.CreateTask(g.Context(), executor.TaskRequest{Namespace: g.namespace, Name: below.name, Context: raw, TaskOptions: options})
	require.NoError(g, err)
	g.predict("create", func(w *tree) string {
		w.create(below, value(lines).([]any), options.Deadline).id = made.TaskUUID
		return ""
	})
}

func (p *treeTemplate) json(namespace string) map[string]any {
	var steps []map[string]any
	for _, s := range p.steps {
		step := map[string]any{"name": s.name, "join": s.join}
		dependencies := []string{}
		for _, n := range s.parents {
			dependencies = append(dependencies, p.steps[n].name)
		}
		if len(dependencies) > 0 {
			step["dependencies"] = dependencies
		}
		switch {
		case s.after > 0:
			step["await"] = []map[string]any{{"signal": "go"}, {"for": s.after.Seconds()}}
		case s.child != nil:
			step["task"] = map[string]any{"name": s.child.name}
		case s.isMap && s.over < 0:
			step["for_each"] = "$.lines"
		case s.isMap:
			step["for_each"] = map[string]any{"step": p.steps[s.over].name, "path": "$.list"}
		}
		if s.after == 0 {
			step["retry"] = map[string]any{"max_attempts": s.attempts, "base_seconds": 1}
		}
		if s.parallel > 0 {
			step["max_parallel"] = s.parallel
		}
		if s.allowed >= 0 {
			step["allow_failures"] = s.allowed
		}
		steps = append(steps, step)
	}
	return map[string]any{"namespace": namespace, "name": p.name, "identity_strategy": "always_unique", "on_failure": p.onFailure, "steps": steps}
}

// act does one thing that workers, time or an operator do.
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

// work records some of what is held, with some failures, and may claim whatever there is.
func (g *grove) work(failures int) {
	g.Helper()
	var sent, kept []treeClaim
	var results []executor.StepResult
	var values []any
	for _, c := range g.held {
		if failures > 0 && g.r.IntN(3) == 0 {
			kept = append(kept, c)
			continue
		}
		result := executor.StepResult{StepClaim: executor.StepClaim{StepUUID: c.id, ClaimNo: int32(c.no)}}
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
	reply, err := g.e.ExchangeSteps(g.Context(), executor.Exchange{Results: results, ClaimRequest: executor.ClaimRequest{
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
			t, n := w.find(c.task, c.step)
			reports = append(reports, treeReport{task: t, step: n, no: c.no, results: values[i]})
		}
		for i, want := range w.finish(reports) {
			if have := reply.Answers[i].Answer; want != have {
				return fmt.Sprintf("%s of %s was answered %s, not %s", sent[i].step, sent[i].task, have, want)
			}
		}
		if limit == 0 {
			return ""
		}
		w.fire()
		ready := w.collect(func(_ *treeTask, s *treeStep) bool { return s.state == state.StepEnqueued })
		if len(ready) != len(reply.Claimed) {
			return fmt.Sprintf("%d steps were claimed, not %d", len(reply.Claimed), len(ready))
		}
		for _, d := range ready {
			s := d.task.steps[d.step]
			at := slices.IndexFunc(reply.Claimed, func(c executor.ClaimedStep) bool {
				// A task that this call has started has no known number yet.
				return c.Name == s.name && (c.TaskUUID == d.task.id || d.task.id == uuid.Nil)
			})
			if at < 0 {
				return fmt.Sprintf("%s of %s is ready and was not claimed", s.name, d.task.id)
			}
			s.state, s.claim, s.attempts = state.StepInProgress, s.claim+1, s.attempts+1
		}
		return ""
	})
}

// result is what a handler returns: an array for a map to run over, now and then none.
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

// signal ends the first wait of a task that has one.
func (g *grove) signal() {
	g.Helper()
	waits := g.collect(func(_ *treeTask, s *treeStep) bool { return s.state == state.StepSuspended && s.after > 0 })
	if len(waits) == 0 {
		return
	}
	task := waits[g.r.IntN(len(waits))].task.id
	answer, err := g.e.SendSignal(g.Context(), task, executor.Signal{Name: "go", Payload: json.RawMessage(`{}`)})
	require.NoError(g, err)
	require.Equal(g, "delivered", answer.Answer)
	g.predict("signal to "+task.String(), func(w *tree) string {
		for _, d := range w.collect(func(t *treeTask, s *treeStep) bool {
			return t.id == task && s.state == state.StepSuspended && s.after > 0
		})[:1] {
			w.endWaits([]due{d}, value(map[string]any{"by": "signal", "name": "go", "payload": map[string]any{}}))
		}
		return ""
	})
}

// operate does to a step or a task what an operator may do.
func (g *grove) operate() {
	g.Helper()
	t := g.tasks[g.r.IntN(len(g.tasks))]
	s := t.steps[g.r.IntN(len(t.steps))]
	var id uuid.UUID
	require.NoError(g, g.pool.QueryRow(g.Context(), "select s.workflow_step_uuid from tasker.workflow_steps as s where s.task_uuid = $1 and s.name = $2",
		t.id, s.name).Scan(&id))
	var did bool
	var err error
	var model func(w *tree, t *treeTask, n int) answer
	var what string
	switch g.r.IntN(9) {
	case 0:
		if g.r.IntN(3) > 0 {
			return
		}
		what = "cancel"
		did, err = g.e.CancelTask(g.Context(), t.id, "", "")
		model = func(w *tree, t *treeTask, _ int) answer {
			switch {
			case t.state == state.TaskCancelled:
				return nothing
			case t.state.IsTerminal():
				return refused
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
		did, err = g.e.CompleteStepManually(g.Context(), executor.CompleteStepManuallyParams{StepUUID: id, Results: result, Reason: "a test"})
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

func (w *tree) find(task uuid.UUID, step string) (*treeTask, int) {
	for _, t := range w.tasks {
		if t.id == task {
			return t, slices.IndexFunc(t.steps, func(s *treeStep) bool { return s.name == step })
		}
	}
	return nil, -1
}

// predict has the model do what the engine has done, and compares. Several maps of a task that are due at once are looked at in any
// order: one of them must lead to where the engine is.
func (g *grove) predict(what string, do func(*tree) string) {
	g.Helper()
	g.say("%s", what)
	rows := g.read()
	first, orders := "", 1
	for try := 0; try < orders; try++ {
		w := g.clone()
		w.maps = func(n int) []int {
			order := make([]int, n)
			for i := range order {
				order[i] = i
			}
			if n > 1 {
				orders = 40
			}
			if try > 0 {
				g.r.Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
			}
			return order
		}
		wrong := do(w)
		if wrong == "" {
			wrong = w.compare(rows)
		}
		if wrong == "" {
			g.tree = w
			g.look()
			return
		}
		if first == "" {
			first = wrong + "\nmodel:\n" + w.say()
		}
	}
	require.Fail(g, first)
}

// look counts what the round has come upon.
func (g *grove) look() {
	for _, t := range g.tasks {
		for _, s := range t.steps {
			kind := "handler"
			switch {
			case s.of >= 0:
				kind = "instance"
			case s.isMap:
				kind = "map"
			case s.after > 0:
				kind = "wait"
			case s.treePlan.child != nil:
				kind = "task"
			}
			if s.state.IsTerminal() {
				g.seen[kind+" "+string(s.state)]++
			}
		}
	}
}

func (g *grove) clone() *tree {
	copied := &tree{now: g.now}
	of := map[*treeTask]*treeTask{}
	for _, t := range g.tasks {
		c := *t
		of[t] = &c
		copied.tasks = append(copied.tasks, &c)
	}
	for _, t := range copied.tasks {
		t.parent = of[t.parent]
		t.steps = slices.Clone(t.steps)
		for i, s := range t.steps {
			c := *s
			c.child = of[s.child]
			t.steps[i] = &c
		}
	}
	return copied
}

// treeRows is what the engine has.
type treeRows struct {
	tasks map[uuid.UUID]state.TaskState
	steps map[uuid.UUID]map[string]treeRow
	notes map[string]bool
}

type treeRow struct {
	state                     state.StepState
	attempts, claim           int
	total, pending, satisfied int
	results, element          any
	retryAt                   *time.Time
	child                     *uuid.UUID
}

func (g *grove) read() treeRows {
	g.Helper()
	rows := treeRows{tasks: map[uuid.UUID]state.TaskState{}, steps: map[uuid.UUID]map[string]treeRow{}, notes: map[string]bool{}}
	found, err := g.pool.Query(g.Context(), `
		select t.task_uuid, t.state, s.name, s.state, s.attempts, s.claim_no, s.total_parents, s.pending_parents, s.satisfied_parents,
		       s.results, s.inputs -> 'element', s.next_retry_at, s.child_task_uuid,
		       array(select m.kind::text from tasker.timers as m where m.task_uuid = s.task_uuid and m.step_no = s.step_no and m.kind in ('expand_map', 'start_child', 'cancel_child')),
		       exists (select from tasker.timers as m where m.task_uuid = t.task_uuid and m.kind = 'child_ended')
		  from tasker.tasks as t
		  join tasker.workflow_steps as s on s.task_uuid = t.task_uuid
		  join tasker.named_tasks as k on k.named_task_uuid = t.named_task_uuid
		 where k.name = any ($1)`, []string{g.name + "_0", g.name + "_1", g.name + "_2"})
	require.NoError(g, err)
	defer found.Close()
	for found.Next() {
		var (
			task             uuid.UUID
			name             string
			taskState        state.TaskState
			row              treeRow
			results, element json.RawMessage
			kinds            []string
			ended            bool
		)
		require.NoError(g, found.Scan(&task, &taskState, &name, &row.state, &row.attempts, &row.claim, &row.total, &row.pending, &row.satisfied,
			&results, &element, &row.retryAt, &row.child, &kinds, &ended))
		row.results, row.element = value(results), value(element)
		if rows.steps[task] == nil {
			rows.tasks[task], rows.steps[task] = taskState, map[string]treeRow{}
		}
		rows.steps[task][name] = row
		for _, kind := range kinds {
			rows.notes[fmt.Sprintf("%s %s.%s", kind, task, name)] = true
		}
		if ended {
			rows.notes[fmt.Sprintf("child_ended %s", task)] = true
		}
	}
	require.NoError(g, found.Err())
	return rows
}

// compare returns how the engine differs from the model, and takes over what is the engine's to choose: the numbers of tasks, and
// when a step is tried again.
func (w *tree) compare(rows treeRows) string {
	if len(w.tasks) != len(rows.tasks) {
		return fmt.Sprintf("there are %d tasks, not %d", len(rows.tasks), len(w.tasks))
	}
	notes := map[string]bool{}
	for _, t := range w.tasks {
		if t.id == uuid.Nil {
			row := rows.steps[t.parent.id][t.parent.steps[t.step].name]
			if row.child == nil {
				return fmt.Sprintf("%s of %s has no task", t.parent.steps[t.step].name, t.parent.id)
			}
			t.id = *row.child
		}
		if have := rows.tasks[t.id]; have != t.state {
			return fmt.Sprintf("task %s is %s, not %s", t.id, have, t.state)
		}
		if len(rows.steps[t.id]) != len(t.steps) {
			return fmt.Sprintf("task %s has %d steps, not %d", t.id, len(rows.steps[t.id]), len(t.steps))
		}
		if t.ended {
			notes["child_ended "+t.id.String()] = true
		}
	}
	for _, t := range w.tasks {
		for n, s := range t.steps {
			row := rows.steps[t.id][s.name]
			want := treeRow{state: s.state, attempts: s.attempts, claim: s.claim, results: s.results, element: s.element, retryAt: row.retryAt}
			want.total, want.pending, want.satisfied = t.count(n)
			if s.child != nil {
				want.child = &s.child.id
			}
			if s.state == state.StepWaitingForRetry && row.retryAt != nil && s.retryAt.IsZero() {
				s.retryAt = *row.retryAt
			}
			if !reflect.DeepEqual(row, want) {
				return fmt.Sprintf("step %s of task %s is %+v, not %+v", s.name, t.id, row, want)
			}
			for kind, noted := range map[string]bool{"expand_map": s.note, "start_child": s.start, "cancel_child": s.cancel} {
				if noted {
					notes[fmt.Sprintf("%s %s.%s", kind, t.id, s.name)] = true
				}
			}
		}
	}
	if !reflect.DeepEqual(notes, rows.notes) {
		return fmt.Sprintf("the notes are %v, not %v", rows.notes, notes)
	}
	return ""
}

// drain lets workers and time go on without failures, and an operator reset what failed, until the task is done. A map over a result
// that is no array fails each time: then an operator gives the task up.
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
			// Top down: a reset of a task resets those that its steps wait for.
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
