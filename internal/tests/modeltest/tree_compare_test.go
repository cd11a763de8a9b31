package modeltest

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"

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
		w.rows = rows
		w.maps = func(maps []due) []int {
			n := len(maps)
			order := make([]int, n)
			for i := range order {
				order[i] = i
			}
			if n > 1 {
				orders = 40
			}
			// First in the order of the steps that the engine has added.
			slices.SortStableFunc(order, func(a, b int) int { return rows.added(maps[a]) - rows.added(maps[b]) })
			if try > 0 {
				g.r.Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
			}
			return order
		}
		wrong := do(w)
		if wrong == "" {
			wrong = w.compare()
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
	copied := &tree{now: g.now, lines: g.lines, slots: g.slots, met: maps.Clone(g.met)}
	of := map[*treeTask]*treeTask{}
	for _, t := range g.tasks {
		c := *t
		if t.run != nil {
			c.run = new(*t.run)
		}
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

// added returns the number of the next instance of a map, if the engine has added it.
func (rows treeRows) added(m due) int {
	s := m.task.steps[m.step]
	return rows.steps[m.task.id][fmt.Sprintf("%s[%d]", s.name, s.expanded)].no
}

func (g *grove) read() treeRows {
	g.Helper()
	rows := treeRows{tasks: map[uuid.UUID]state.TaskState{}, steps: map[uuid.UUID]map[string]treeRow{}, notes: map[string]bool{}}
	found, err := g.pool.Query(g.Context(), `
		select t.task_uuid, t.state, s.step_no,
		       -- An instance that was replaced has no edge to its map.
		       s.name || case when s.map_no is not null and not exists (
		         select from tasker.added_step_edges as e
		          where e.task_uuid = s.task_uuid and e.from_step_no = s.step_no and e.to_step_no = s.map_no
		       ) then ' no. ' || s.step_no else '' end,
		       s.state, s.attempts, s.claim_no, s.total_parents, s.pending_parents, s.satisfied_parents,
		       s.results, s.inputs -> 'element', s.next_retry_at, s.child_task_uuid,
		       array(select m.kind::text from tasker.timers as m where m.task_uuid = s.task_uuid and m.step_no = s.step_no and m.kind in ('expand_map', 'start_child', 'cancel_child')),
		       array(select case m.kind when 'cancel_child' then 'dropped' else m.kind::text end from tasker.timers as m
		         where m.task_uuid = t.task_uuid and m.step_no = 0 and m.kind in ('child_ended', 'cancel_child', 'serve_run', 'hold_task'))
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
			kinds, noted     []string
		)
		require.NoError(g, found.Scan(&task, &taskState, &row.no, &name, &row.state, &row.attempts, &row.claim, &row.total, &row.pending, &row.satisfied,
			&results, &element, &row.retryAt, &row.child, &kinds, &noted))
		row.results, row.element = value(results), value(element)
		if rows.steps[task] == nil {
			rows.tasks[task], rows.steps[task] = taskState, map[string]treeRow{}
		}
		rows.steps[task][name] = row
		for _, kind := range kinds {
			rows.notes[fmt.Sprintf("%s %s.%s", kind, task, name)] = true
		}
		for _, kind := range noted {
			rows.notes[fmt.Sprintf("%s %s", kind, task)] = true
		}
	}
	require.NoError(g, found.Err())
	if g.keyed {
		g.readRuns(&rows)
	}
	return rows
}

// adopt gives new tasks the ids that the engine has chosen.
func (w *tree) adopt() string {
	for _, t := range w.tasks {
		if t.id == uuid.Nil {
			row := w.rows.steps[t.parent.id][t.parent.steps[t.step].name]
			if row.child == nil {
				return fmt.Sprintf("%s of %s has no task", t.parent.steps[t.step].name, t.parent.id)
			}
			t.id = *row.child
		}
	}
	return ""
}

// compare returns the differences of the engine from the model. It adopts the values that the engine may choose: the ids of
// tasks, and the times of retries.
func (w *tree) compare() string {
	rows := w.rows
	if len(w.tasks) != len(rows.tasks) {
		return fmt.Sprintf("there are %d tasks, not %d", len(rows.tasks), len(w.tasks))
	}
	notes := map[string]bool{}
	if wrong := w.adopt(); wrong != "" {
		return wrong
	}
	for _, t := range w.tasks {
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
		if !t.serveAt.IsZero() {
			notes["serve_run "+t.id.String()] = true
		}
		if t.paused {
			notes["hold_task "+t.id.String()] = true
		}
	}
	if wrong := w.compareRuns(); wrong != "" {
		return wrong
	}
	for _, t := range w.tasks {
		for n, s := range t.steps {
			row := rows.steps[t.id][s.name]
			want := treeRow{no: n + 1, state: s.state, attempts: s.attempts, claim: s.claim, results: s.results, element: s.element, retryAt: row.retryAt}
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
