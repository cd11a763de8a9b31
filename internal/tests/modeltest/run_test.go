package modeltest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/tests/enginetest"
	"github.com/pgtasker/pgtasker/internal/tests/replaytest"
	"github.com/pgtasker/pgtasker/state"
)

// TestRuns_AgreeWithTheModelCallByCall runs tasks by key. Requests, workers, time and operators make calls, one after another. After
// each call every task, step, note and row of the lines must be as in the model, and the laws of the lines hold.
func TestRuns_AgreeWithTheModelCallByCall(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	now, err := enginetest.Prepare(t.Context(), pool)
	require.NoError(t, err)

	met := map[string]int{}
	enough := func(kind string) bool { return met[kind] > 0 }
	rounds(t, 60, 2000, func(t *testing.T, seed uint64, r *rand.Rand) {
		if os.Getenv("PGTASKER_SOAK") == "" && seed > 6 && all(runCases, enough) {
			return // the short form ends when it has met all cases
		}
		q := &queue{grove: &grove{
			T: t, tree: &tree{now: now, met: met}, pool: pool, e: direct.New(pool), r: r, worker: uuid.New(), seen: map[string]int{},
			namespace: enginetest.Namespaces[r.IntN(2)].Name, name: fmt.Sprintf("run%d", seed), keyed: true,
		}}
		defer func() {
			now, met = q.now, q.met
			if t.Failed() {
				for _, line := range q.story {
					t.Log(line)
				}
			}
		}()
		q.open()
		for range 40 + r.IntN(20) {
			q.act()
			q.requireLaws()
		}
		q.drain()
	})
	replaytest.Recorded(t, pool)
	t.Logf("cases: %v", met)
	for _, kind := range runCases {
		// A single seed, given by PGTASKER_SEED, may not reach every case.
		require.True(t, enough(kind) || os.Getenv("PGTASKER_SEED") != "", "no seed reaches %q", kind)
	}
}

// runCases are the cases that must occur in at least one round.
var runCases = []string{
	"waits", "starts later", "skip", "refuse", "replaced", "cancelled running", "overtakes", "holds up its sequence", "skipped",
	"reset in its place", "at the end of the line", "paused in line", "resumed", "start changed", "rank changed", "newer version decides",
	"snoozed", "late start", "start in time", "place held while it waits", "waits for a place",
}

func all(kinds []string, are func(string) bool) bool {
	return !slices.ContainsFunc(kinds, func(kind string) bool { return !are(kind) })
}

// queue is one round of the test: a grove with many tasks in the lines of two keys.
type queue struct {
	*grove
	plans []*treeTemplate // the versions of the template of the first level
}

// open registers the templates and the limit.
func (q *queue) open() {
	q.Helper()
	q.plans = []*treeTemplate{q.plant(1, true)}
	q.slots = 1 + q.r.IntN(2)
	_, err := q.e.SetLimit(q.Context(), sqlfn.SetLimitParams{Namespace: q.namespace, Name: "slot", Concurrency: new(int32(q.slots))})
	require.NoError(q, err)
}

// runs returns a random rule for the tasks of a level. A task that a step has started does not have to have a place at once.
func (g *grove) runs(level int) *runsPlan {
	rules := []runsPlan{
		{1, "created", "wait", true},
		{1, "priority", "wait", true},
		{2, "priority", "wait", false},
		{1, "priority", "replace_waiting", true},
		{2, "created", "cancel_running", false},
		{1, "created", "skip", true},
		{1, "created", "refuse", false},
	}
	if level > 0 {
		rules = []runsPlan{{1, "created", "wait", true}, {1, "created", "cancel_running", false}, {2, "created", "replace_waiting", false}}
		if g.r.IntN(2) == 0 {
			return nil
		}
	}
	return &rules[g.r.IntN(len(rules))]
}

func (q *queue) act() {
	q.Helper()
	if len(q.tasks) == 0 {
		q.ask()
		return
	}
	switch q.r.IntN(18) {
	case 0, 1, 2, 3, 4:
		q.work(3)
	case 5:
		q.pass(time.Duration(1+q.r.IntN(15)) * time.Second)
	case 6, 7:
		q.fireTimers()
	case 8:
		q.signal()
	case 9, 10, 11:
		q.ask()
	case 12, 13:
		q.operate()
	default:
		q.manage()
	}
}

// ask requests a task. Sometimes the task is of a new version, starts later, or has a priority.
func (q *queue) ask() {
	q.Helper()
	if q.r.IntN(8) == 0 {
		plan := *q.plans[0]
		plan.version, plan.runs = fmt.Sprintf("1.%d.0", len(q.plans)), q.runs(0)
		q.register(&plan)
		q.plans = append(q.plans, &plan)
	}
	plan := q.plans[max(0, len(q.plans)-1-q.r.IntN(4)/3)]
	request, t := q.request(plan, []string{"ann", "bob"}[q.r.IntN(2)])
	if q.r.IntN(4) == 0 {
		request.StartAt = q.now.Add(time.Duration(1+q.r.IntN(30)) * time.Second)
	}
	if q.r.IntN(2) == 0 {
		t.priority = q.r.IntN(5) - 2
		request.Priority = int32(t.priority)
	}
	made, err := q.e.CreateTask(q.Context(), request)
	if !errors.Is(err, executor.ErrConflict) {
		require.NoError(q, err)
	}
	t.id = made.TaskUUID
	q.predict(fmt.Sprintf("request %s %s of key %s priority %d start %s: %s %v", plan.name, plan.version, t.key, t.priority, request.StartAt, t.id, err), func(w *tree) string {
		ok, stands := w.admit(t)
		switch further := plan.runs.further; {
		case ok:
			if err != nil || !made.Created {
				return fmt.Sprintf("the request was not admitted: %v", err)
			}
			w.create(t, request.StartAt)
		case further == "refuse":
			w.met[further]++
			if err == nil {
				return "the request was not refused"
			}
		default:
			w.met[further]++
			if made.Created || made.TaskUUID != stands.id {
				return fmt.Sprintf("task %s stands for the request, not %s", made.TaskUUID, stands.id)
			}
		}
		return ""
	})
}

// snooze lets a running step run again later.
func (g *grove) snooze(c treeClaim) {
	g.Helper()
	d := time.Duration(1+g.r.IntN(20)) * time.Second
	have, err := g.e.SnoozeStep(g.Context(), direct.StepClaim{StepUUID: c.id, ClaimNo: int32(c.no)}, d, "")
	require.NoError(g, err)
	g.predict(fmt.Sprintf("snooze %s of %s for %s", c.step, c.task, d), func(w *tree) string {
		t, _ := w.find(c.task, c.step)
		if want := w.snooze(t, int(c.id[14])<<8+int(c.id[15])-1, c.no, d); want != string(have.Answer) {
			return fmt.Sprintf("the answer is %s, not %s", have.Answer, want)
		}
		return ""
	})
}

// manage makes a call of an operator on a task, mostly on a task to which the call applies: pause, resume, change, reset, skip.
func (q *queue) manage() {
	q.Helper()
	blocks := func(t *treeTask) bool {
		return t.run != nil && t.run.state == "running" && (t.state == state.TaskError || t.state == state.TaskBlockedByFailures)
	}
	var task uuid.UUID
	pick := func(suits func(t *treeTask) bool) uuid.UUID {
		tasks := slices.DeleteFunc(slices.Clone(q.tasks), func(t *treeTask) bool { return !suits(t) })
		if len(tasks) == 0 || q.r.IntN(6) == 0 {
			tasks = q.tasks
		}
		task = tasks[q.r.IntN(len(tasks))].id
		return task
	}
	var did bool
	var err error
	var what string
	var model func(w *tree, t *treeTask) answer
	switch kind := q.r.IntN(10); kind {
	case 0:
		what = "skip"
		did, err = q.e.SkipBlockedRun(q.Context(), pick(blocks), "a test")
		model = (*tree).skip
	case 1, 2:
		what = "reset"
		did, err = q.e.ResetTask(q.Context(), pick([]func(*treeTask) bool{
			func(t *treeTask) bool { return t.state == state.TaskError && blocks(t) },
			func(t *treeTask) bool { return t.state == state.TaskError && !blocks(t) },
		}[kind-1]), "", "")
		model = (*tree).reset
	case 3:
		what = "pause"
		did, err = q.e.PauseTask(q.Context(), pick((*treeTask).inLine), "", "")
		model = func(w *tree, t *treeTask) answer { return w.hold(t, true) }
	case 4, 5:
		what = "resume"
		did, err = q.e.ResumeTask(q.Context(), pick(func(t *treeTask) bool { return t.paused }), "", "")
		model = func(w *tree, t *treeTask) answer { return w.hold(t, false) }
	case 6, 7:
		priority := q.r.IntN(7) - 3
		what = fmt.Sprintf("priority %d", priority)
		did, err = q.e.ChangeTask(q.Context(), pick(func(t *treeTask) bool { return t.inLine() && t.plan.runs.order == "priority" }), executor.TaskChange{Priority: new(int32(priority))})
		model = func(w *tree, t *treeTask) answer { return w.changePriority(t, priority) }
	default:
		at := q.now.Add(time.Duration(q.r.IntN(20)-5) * time.Second)
		what = fmt.Sprintf("start at %s", at)
		did, err = q.e.ChangeTask(q.Context(), pick((*treeTask).inLine), executor.TaskChange{StartAt: at})
		model = func(w *tree, t *treeTask) answer { return w.changeStart(t, at) }
	}
	have := answer(fmt.Sprint(did))
	if errors.Is(err, executor.ErrConflict) || errors.Is(err, executor.ErrInvalid) {
		have, err = refused, nil
	}
	require.NoError(q, err)
	q.predict(fmt.Sprintf("%s %s: %s", what, task, have), func(w *tree) string {
		t, _ := w.find(task, "")
		if want := model(w, t); want != have {
			return fmt.Sprintf("the answer is %s, not %s", have, want)
		}
		return ""
	})
}

// requireLaws checks that no key has more running tasks than a version allows, and that no task waits for a free place unless a note
// for the key is due.
func (q *queue) requireLaws() {
	q.Helper()
	for _, t := range q.tasks {
		if t.run == nil {
			continue
		}
		most := 0
		for _, o := range q.tasks {
			if o.plan.name == t.plan.name {
				most = max(most, o.plan.runs.max)
			}
		}
		running, line := len(q.tree.keyed(t, "running")), q.line(t)
		require.LessOrEqual(q, running, most, "tasks of key %s that run", t.key)
		if len(line) == 0 || running >= slices.MaxFunc(line, arrival).plan.runs.max {
			continue
		}
		require.True(q, slices.ContainsFunc(q.tasks, func(o *treeTask) bool {
			return o.run != nil && o.plan.name == t.plan.name && o.key == t.key && !o.serveAt.IsZero() && !o.serveAt.After(q.now)
		}), "task %s waits for a free place, and no note serves the key %s\n%s", line[0].id, t.key, q.tree.say())
	}
}

// drain lets workers and time continue without failures until all tasks have ended. An operator ends the remaining tasks.
func (q *queue) drain() {
	q.Helper()
	for turn := 0; ; turn++ {
		require.Less(q, turn, 60, "the lines do not end")
		open := false
		for i := range q.tasks {
			t := q.tasks[i]
			id := t.id
			open = open || !t.state.IsTerminal() || t.run != nil
			if t.paused {
				_, err := q.e.ResumeTask(q.Context(), id, "", "")
				require.NoError(q, err)
				q.predict("resume", func(w *tree) string { t, _ := w.find(id, ""); w.hold(t, false); return "" })
			}
			if turn > 12 && t.run != nil && t.run.state == "running" && t.state == state.TaskError {
				_, err := q.e.SkipBlockedRun(q.Context(), id, "the end")
				require.NoError(q, err)
				q.predict("skip", func(w *tree) string { t, _ := w.find(id, ""); w.skip(t); return "" })
			}
			if t = q.tasks[i]; turn > 12 && !t.state.IsTerminal() && !t.inLine() {
				_, err := q.e.CancelTask(q.Context(), id, "", "")
				require.NoError(q, err)
				q.predict("cancel", func(w *tree) string { t, _ := w.find(id, ""); w.sweep(t, state.TaskCancelled); return "" })
			}
		}
		if !open {
			break
		}
		q.work(0)
		q.pass(10 * time.Second)
		q.fireTimers()
		q.requireLaws()
	}
	ids := []uuid.UUID{}
	for _, t := range q.tasks {
		ids = append(ids, t.id)
	}
	found, err := enginetest.Violations(q.Context(), q.pool, ids)
	require.NoError(q, err)
	require.Empty(q, found)
}

// readRuns reads the rows of the lines.
func (g *grove) readRuns(rows *treeRows) {
	g.Helper()
	found, err := g.pool.Query(g.Context(), `
		select r.task_uuid, r.run_key, r.state, r.rank, r.line_at, r.run_at
		  from tasker.runs as r
		 where r.name = any ($1)
		 order by r.line_no`, []string{g.name + "_0", g.name + "_1"})
	require.NoError(g, err)
	defer found.Close()
	for found.Next() {
		var row runRow
		require.NoError(g, found.Scan(&row.task, &row.key, &row.state, &row.rank, &row.lineAt, &row.runAt))
		rows.runs = append(rows.runs, row)
	}
	require.NoError(g, found.Err())
}
