package modeltest

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/tests/enginetest"
	"github.com/pgtasker/pgtasker/internal/tests/replaytest"
	"github.com/pgtasker/pgtasker/state"
)

// TestGraphs_KeepTheirInvariants makes random calls, one after another, on random families whose tasks have maps, waits and
// child tasks. After each call the laws of families hold, each map has the state of the model of maps, and the arrays that a
// claim hands out are the model's arrays.
func TestGraphs_KeepTheirInvariants(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	_, err := enginetest.Prepare(t.Context(), pool)
	require.NoError(t, err)

	seen := &graphs{}
	rounds(t, 3, 1000, func(t *testing.T, seed uint64, r *rand.Rand) {
		f := &families{
			T: t, pool: pool, e: direct.New(pool), r: r, worker: uuid.New(), graphs: seen,
			namespace: enginetest.Namespaces[r.IntN(2)].Name, name: fmt.Sprintf("g%d", seed), lapsed: map[uuid.UUID]bool{},
		}
		f.registerGraphs()
		for range 30 + r.IntN(40) {
			if r.IntN(8) == 0 {
				f.signal()
			}
			f.act()
			f.requireLaws()
		}
		f.drain()
	})
	replaytest.Recorded(t, pool)
	t.Logf("%d maps complete, %d failed, %d arrays handed out", seen.complete, seen.failed, seen.arrays)
	require.Positive(t, seen.complete)
	require.Positive(t, seen.arrays)
}

// graphs counts the cases that occurred in the rounds, so that the test notices if the model checks nothing.
type graphs struct{ complete, failed, arrays int }

// result returns a handler's result: an array for a map, or sometimes no result.
func (*graphs) result(r *rand.Rand) json.RawMessage {
	if r.IntN(15) == 0 {
		return json.RawMessage(`{"n": 1}`)
	}
	list := make([]int, r.IntN(5))
	for i := range list {
		list[i] = r.IntN(100)
	}
	raw, err := json.Marshal(map[string]any{"n": r.IntN(100), "list": list})
	if err != nil {
		panic(err)
	}
	return raw
}

// registerGraphs registers a template for each level with handlers, maps over the context or a handler's result, and waits.
// Above the last level it also has tasks of the next level.
func (f *families) registerGraphs() {
	f.Helper()
	for level := 2; level >= 0; level-- {
		var steps []map[string]any
		var handlers []string
		for n := range 2 + f.r.IntN(5) {
			name := fmt.Sprintf("s%d", n)
			step := map[string]any{"name": name, "join": []string{"all", "all", "settled"}[f.r.IntN(3)]}
			var dependencies []string
			for _, parent := range f.r.Perm(n)[:min(n, f.r.IntN(3))] {
				dependencies = append(dependencies, fmt.Sprintf("s%d", parent))
			}
			retry := map[string]any{"max_attempts": 1 + f.r.IntN(2), "base_seconds": 1}
			switch kind := f.r.IntN(6); {
			case kind < 2:
				step["retry"] = retry
				if step["for_each"] = any("$.lines"); len(handlers) > 0 && f.r.IntN(3) > 0 {
					over := handlers[f.r.IntN(len(handlers))]
					if !slices.Contains(dependencies, over) {
						dependencies = append(dependencies, over)
					}
					step["for_each"], step["join"] = map[string]any{"step": over, "path": "$.list"}, "all"
				}
				if f.r.IntN(2) == 0 {
					step["max_parallel"] = 1 + f.r.IntN(3)
				}
				if f.r.IntN(2) == 0 {
					step["allow_failures"] = f.r.IntN(3)
				}
				f.limit(step)
			case kind == 2:
				step["await"] = []map[string]any{{"signal": "go"}, {"for": 20 + f.r.IntN(40)}}
			case kind == 3 && level < 2:
				step["task"], step["retry"] = map[string]any{"name": fmt.Sprintf("%s_%d", f.name, level+1)}, retry
			default:
				step["retry"] = retry
				f.limit(step)
				handlers = append(handlers, name)
			}
			step["dependencies"] = dependencies
			if dependencies == nil {
				delete(step, "dependencies")
			}
			steps = append(steps, step)
		}
		raw, err := json.Marshal(map[string]any{
			"namespace": f.namespace, "name": fmt.Sprintf("%s_%d", f.name, level), "identity_strategy": "always_unique",
			"on_failure": []string{"fail", "fail", "continue", "halt"}[f.r.IntN(4)], "steps": steps,
		})
		require.NoError(f, err)
		_, err = f.e.RegisterTaskTemplate(f.Context(), raw)
		require.NoError(f, err, string(raw))
	}
	lines := make([]int, f.r.IntN(5))
	for i := range lines {
		lines[i] = 1000 + i
	}
	raw, err := json.Marshal(map[string]any{"lines": lines})
	require.NoError(f, err)
	f.create(string(raw))
}

// signal sends the signal that steps wait for to a task of the family. An ended task takes no signal.
func (f *families) signal() {
	f.Helper()
	family, err := f.e.GetTaskTree(f.Context(), f.root, 0)
	require.NoError(f, err)
	_, err = f.e.SendSignal(f.Context(), family[f.r.IntN(len(family))].TaskUUID, executor.Signal{Name: "go", Payload: json.RawMessage(`{}`)})
	f.requireDone(err)
}

// mapStep is a step in the model of maps.
type mapStep struct {
	no       int32
	name     string
	state    state.StepState
	results  json.RawMessage
	inputs   json.RawMessage
	over     *string // the step whose result a map runs over, empty for the context
	parallel *int
	allowed  *int
	of       *int32 // the map of an instance
	byHand   bool
	failed   bool // the step has failed for good at some time
	context  json.RawMessage
	ended    bool // the task has ended
	pending  int  // the number of unsettled parents, with the instances of an expanded map
	begun    bool // the map has been expanded, at least in part
	halted   bool // the task starts no step
	noted    bool // a note is due for it
}

// mapSteps returns the steps of tasks by their numbers.
func (f *families) mapSteps(tasks ...uuid.UUID) (found map[uuid.UUID]map[int32]*mapStep) {
	f.Helper()
	rows, err := f.pool.Query(f.Context(), `
		select s.task_uuid, s.step_no, s.name, s.state, s.results, s.inputs, case when s.for_each is not null then coalesce(s.for_each ->> 'step', '') end,
		       (s.for_each ->> 'max_parallel')::integer, (s.for_each ->> 'allow_failures')::integer, s.map_no,
		       exists (select from tasker.workflow_step_transition_log as l where l.task_uuid = s.task_uuid and l.step_no = s.step_no
		         and l.event in ('CompleteManually', 'ResolveManually')),
		       exists (select from tasker.workflow_step_transition_log as l where l.task_uuid = s.task_uuid and l.step_no = s.step_no and l.event = 'Fail'),
		       t.context, t.complete, s.pending_parents, s.expansion is not null,
		       (select tasker.task_halts(u.on_failure, u.failed_steps) from unnest(tasker.task_facts(array[t.task_uuid])) as u),
		       exists (select from tasker.timers as m where m.task_uuid = s.task_uuid and m.step_no = s.step_no and m.kind = 'expand_map')
		  from tasker.workflow_steps as s
		  join tasker.tasks as t on t.task_uuid = s.task_uuid
		 where s.task_uuid = any ($1)`, tasks)
	require.NoError(f, err)
	defer rows.Close()
	found = map[uuid.UUID]map[int32]*mapStep{}
	for rows.Next() {
		var (
			task uuid.UUID
			s    mapStep
		)
		require.NoError(f, rows.Scan(&task, &s.no, &s.name, &s.state, &s.results, &s.inputs, &s.over, &s.parallel, &s.allowed, &s.of, &s.byHand, &s.failed,
			&s.context, &s.ended, &s.pending, &s.begun, &s.halted, &s.noted))
		if found[task] == nil {
			found[task] = map[int32]*mapStep{}
		}
		found[task][s.no] = &s
	}
	require.NoError(f, rows.Err())
	return found
}

// instances returns the instances of a map in the order of their elements, and its array, or nil.
func instances(steps map[int32]*mapStep, m *mapStep) (list []*mapStep, array []json.RawMessage) {
	for _, s := range steps {
		if s.of != nil && *s.of == m.no {
			list = append(list, s)
		}
	}
	slices.SortFunc(list, func(a, b *mapStep) int { return int(a.no - b.no) })
	var in struct{ Lines, List []json.RawMessage }
	if *m.over == "" {
		_ = json.Unmarshal(m.context, &in)
		return list, in.Lines
	}
	for _, s := range steps {
		if s.name == *m.over && s.of == nil {
			_ = json.Unmarshal(s.results, &in)
		}
	}
	return list, in.List
}

// requireMaps compares each map of these tasks with its model.
func (f *families) requireMaps(tasks []uuid.UUID) {
	f.Helper()
	for task, steps := range f.mapSteps(tasks...) {
		for _, m := range steps {
			if m.over == nil {
				continue
			}
			list, array := instances(steps, m)
			say := fmt.Sprintf("map %s of task %s with %d of %d instances is %s", m.name, task, len(list), len(array), m.state)
			open, cancelled, failed, ever := 0, 0, 0, 0
			for i, s := range list {
				var in struct {
					Element json.RawMessage
					Index   int
				}
				require.NoError(f, json.Unmarshal(s.inputs, &in))
				require.Equal(f, i, in.Index, say)
				require.Equal(f, fmt.Sprintf("%s[%d]", m.name, i), s.name, say)
				if !m.byHand && len(array) > i {
					require.JSONEq(f, string(array[i]), string(in.Element), say)
				}
				switch s.state {
				case state.StepCancelled:
					cancelled++
				case state.StepError:
					failed++
				}
				if s.failed {
					ever++
				}
				if !settles(s.state) {
					open++
				}
			}
			if m.parallel != nil && !m.ended {
				require.LessOrEqual(f, open, *m.parallel, say)
			}
			if m.allowed != nil && !m.ended && m.state == state.StepPending {
				require.Zero(f, failed, "%s: an allowed failure does not count as failed", say)
			}
			switch {
			case m.byHand || m.ended && m.state != state.StepComplete:
			case m.state == state.StepComplete:
				f.graphs.complete++
				require.Len(f, list, len(array), say)
				require.Zero(f, open, say)
				if m.allowed != nil {
					require.LessOrEqual(f, cancelled, *m.allowed, say)
				}
			case m.state == state.StepError:
				f.graphs.failed++
				require.True(f, array == nil || m.allowed != nil && ever > *m.allowed, say)
			case m.state == state.StepCancelled:
				require.Empty(f, list, say)
			default:
				require.Equal(f, state.StepPending, m.state, say)
				more := len(list) < len(array) && (m.parallel == nil || open < *m.parallel)
				if due := !m.begun && m.pending == 0 || m.begun && (more || open == 0); !m.halted {
					// A superfluous note is deleted when it is fired.
					require.True(f, m.noted || !due, "%s: the map can continue, but has no note", say)
				}
			}
		}
	}
}

// requireArrays compares the arrays that a claim hands out with the arrays that the model computes from the
// instances.
func (f *families) requireArrays(claimed []gen.ClaimedStep) {
	f.Helper()
	for _, c := range claimed {
		var parents map[string]json.RawMessage
		require.NoError(f, json.Unmarshal(c.ParentResults, &parents))
		steps := f.mapSteps(c.TaskUUID)[c.TaskUUID]
		for _, m := range steps {
			got, handed := parents[m.name]
			if m.over == nil || !handed || m.byHand {
				continue
			}
			list, _ := instances(steps, m)
			want := []json.RawMessage{}
			for _, s := range list {
				if s.results == nil {
					s.results = json.RawMessage("null")
				}
				want = append(want, s.results)
			}
			raw, err := json.Marshal(want)
			require.NoError(f, err)
			require.JSONEq(f, string(raw), string(got), "map %s of task %s", m.name, c.TaskUUID)
			f.graphs.arrays++
		}
	}
}

// requireDone requires that a call succeeded, or was refused because it did not apply.
func (f *families) requireDone(err error) {
	f.Helper()
	if err != nil {
		require.ErrorIs(f, err, executor.ErrConflict)
	}
}
