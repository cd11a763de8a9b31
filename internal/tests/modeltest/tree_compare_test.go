package modeltest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/state"
)

// value returns a value as it is after encoding and decoding.
func value(from any) (to any) {
	raw, ok := from.(json.RawMessage)
	if !ok {
		raw, _ = json.Marshal(from)
	}
	_ = json.Unmarshal(raw, &to)
	return to
}

func (w *tree) find(task uuid.UUID, step string) (*treeTask, int) {
	for _, t := range w.tasks {
		if t.id == task {
			return t, slices.IndexFunc(t.steps, func(s *treeStep) bool { return s.name == step })
		}
	}
	return nil, -1
}

// predict repeats in the model the engine's work, and compares the states. The engine handles several maps of a task that are
// due at the same time in any order. One of these orders must lead to the engine's state.
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

// look counts the cases that the round has met.
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

// treeRows has the rows of the engine.
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
		select t.task_uuid, t.state,
		       -- An instance that was replaced has no edge to its map.
		       s.name || case when s.map_no is not null and not exists (
		         select from tasker.added_step_edges as e
		          where e.task_uuid = s.task_uuid and e.from_step_no = s.step_no and e.to_step_no = s.map_no
		       ) then ' no. ' || s.step_no else '' end,
		       s.state, s.attempts, s.claim_no, s.total_parents, s.pending_parents, s.satisfied_parents,
		       s.results, s.inputs -> 'element', s.next_retry_at, s.child_task_uuid,
		       array(select m.kind::text from tasker.timers as m where m.task_uuid = s.task_uuid and m.step_no = s.step_no and m.kind in ('expand_map', 'start_child', 'cancel_child')),
		       exists (select from tasker.timers as m where m.task_uuid = t.task_uuid and m.kind = 'child_ended'),
		       exists (select from tasker.timers as m where m.task_uuid = t.task_uuid and m.step_no = 0 and m.kind = 'cancel_child')
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
			ended, dropped   bool
		)
		require.NoError(g, found.Scan(&task, &taskState, &name, &row.state, &row.attempts, &row.claim, &row.total, &row.pending, &row.satisfied,
			&results, &element, &row.retryAt, &row.child, &kinds, &ended, &dropped))
		row.results, row.element = value(results), value(element)
		if rows.steps[task] == nil {
			rows.tasks[task], rows.steps[task] = taskState, map[string]treeRow{}
		}
		rows.steps[task][name] = row
		for _, kind := range kinds {
			rows.notes[fmt.Sprintf("%s %s.%s", kind, task, name)] = true
		}
		if dropped {
			rows.notes[fmt.Sprintf("dropped %s", task)] = true
		}
		if ended {
			rows.notes[fmt.Sprintf("child_ended %s", task)] = true
		}
	}
	require.NoError(g, found.Err())
	return rows
}

// compare returns the differences of the engine from the model. It adopts the values that the engine may choose: the ids of
// tasks, and the times of retries.
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
		if t.dropped {
			notes["dropped "+t.id.String()] = true
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
