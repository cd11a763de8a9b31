package propertytest

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

const (
	largest = 200 // steps of a graph
	batch   = 20  // graphs in one statement
)

// rounds calls check for each round with a generator of its own, and names the seed of a round that fails.
func rounds(t *testing.T, normal, soak int, check func(t *testing.T, r *rand.Rand)) {
	t.Helper()
	first, count := uint64(1), normal
	if os.Getenv("PGTASKER_SOAK") != "" {
		count = soak
	}
	if text := os.Getenv("PGTASKER_SEED"); text != "" {
		seed, err := strconv.ParseUint(text, 10, 64)
		require.NoError(t, err)
		first, count = seed, 1
	}
	for seed := first; seed < first+uint64(count) && !t.Failed(); seed++ {
		func() {
			defer func() {
				if t.Failed() {
					t.Logf("this was seed %d: PGTASKER_SEED=%d go test -run '^%s$' ./internal/tests/propertytest", seed, seed, t.Name())
				}
			}()
			check(t, rand.New(rand.NewPCG(seed, 0)))
		}()
	}
}

// size prefers small graphs, in which mistakes are easy to see, and sometimes returns a large one.
func size(r *rand.Rand) int {
	return []int{4, 10, 30, largest}[r.IntN(4)]
}

func newDatabase(t *testing.T) *database {
	t.Helper()
	d, err := prepare(t.Context(), pgtest.New(t))
	require.NoError(t, err)
	return d
}

func newTasks(t *testing.T, r *rand.Rand, d *database) ([]*task, []uuid.UUID) {
	t.Helper()
	tasks := make([]*task, batch)
	for i := range tasks {
		tasks[i] = randomTask(r, size(r))
	}
	ids, err := d.insert(t.Context(), tasks)
	require.NoError(t, err)
	return tasks, ids
}

func stepID(task uuid.UUID, n int) uuid.UUID {
	task[14], task[15] = byte((n+1)>>8), byte(n+1)
	return task
}

func nodeOf(step uuid.UUID) int { return int(step[14])<<8 + int(step[15]) - 1 }

func TestReadiness_AgreesWithTheModel(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	e := executor.New(d.pool)

	rounds(t, 15, 400, func(t *testing.T, r *rand.Rand) {
		tasks, ids := newTasks(t, r, d)
		all, err := e.GetStepReadinessStatusBatch(t.Context(), ids)
		require.NoError(t, err)

		for i, task := range tasks {
			require.GreaterOrEqual(t, len(all), task.nodes)
			steps := all[:task.nodes]
			all = all[task.nodes:]
			var ready []executor.StepReadinessStatus
			for n, s := range steps {
				where := fmt.Sprintf("step %d of task %d: %+v", n, i, task.steps[n])
				o := task.outcome(n)
				require.Equal(t, stepID(ids[i], n), s.WorkflowStepUUID, where)
				require.Equal(t, task.steps[n].state, s.CurrentState, where)
				require.EqualValues(t, o.total, s.TotalParents, where)
				require.EqualValues(t, o.completed, s.CompletedParents, where)
				require.Equal(t, task.dependenciesSatisfied(n), s.DependenciesSatisfied, where)
				require.Equal(t, task.retryEligible(n), s.RetryEligible, where)
				require.Equal(t, task.blockingReason(n), s.BlockingReason(), where)
				require.Equal(t, s.BlockingReason() == "", s.CanExecuteNow(), where)
				require.InEpsilon(t, task.effectiveBackoff(n)+1, s.EffectiveBackoffSeconds()+1, 1e-9, where)
				if s.CanExecuteNow() {
					ready = append(ready, s)
				}
			}

			have, err := e.GetStepReadinessStatus(t.Context(), ids[i], nil)
			require.NoError(t, err)
			require.Equal(t, steps, have, "the function for one task returns the same")
			have, err = e.GetReadySteps(t.Context(), ids[i])
			require.NoError(t, err)
			require.ElementsMatch(t, ready, have)

			var filter []uuid.UUID
			var want []executor.StepReadinessStatus
			for n := range steps {
				if r.IntN(3) == 0 {
					filter = append(filter, stepID(ids[i], n))
					want = append(want, steps[n])
				}
			}
			r.Shuffle(len(filter), func(a, b int) { filter[a], filter[b] = filter[b], filter[a] })
			have, err = e.GetStepReadinessStatus(t.Context(), ids[i], append([]uuid.UUID{}, filter...))
			require.NoError(t, err)
			require.ElementsMatch(t, want, have, "a filter changes no answer")

			requireStep(t, e, task, ids[i], r.IntN(task.nodes))
		}
		require.Empty(t, all)
	})
}

// requireStep checks the functions about a single step.
func requireStep(t *testing.T, e *executor.SqlFunctionExecutor, task *task, id uuid.UUID, n int) {
	t.Helper()
	derived, err := e.CheckStepDependencies(t.Context(), stepID(id, n))
	require.NoError(t, err)
	require.Equal(t, task.dependenciesSatisfied(n), derived)
	counted, err := e.StepDependenciesMet(t.Context(), stepID(id, n))
	require.NoError(t, err)
	require.Equal(t, derived, counted, "the engine's counters agree with the derived ones")

	explanation, err := e.ExplainStep(t.Context(), stepID(id, n))
	require.NoError(t, err)
	require.NotEmpty(t, explanation.Summary)
	var waiting, blocked []struct{ Name string }
	require.NoError(t, json.Unmarshal(explanation.WaitingFor, &waiting))
	o := task.outcome(n)
	require.Len(t, waiting, min(o.total-o.settled, 100))
	failed := 0
	for ancestor := range task.above(n) {
		if task.steps[ancestor].state.IsError() {
			failed++
		}
	}
	require.NoError(t, json.Unmarshal(explanation.BlockedBy, &blocked))
	require.Len(t, blocked, min(failed, 100))
}

func TestGraph_AgreesWithTheModel(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	e := executor.New(d.pool)

	rounds(t, 15, 400, func(t *testing.T, r *rand.Rand) {
		tasks, ids := newTasks(t, r, d)
		for i, task := range tasks {
			levels, depths := task.levels(), task.minDepths()
			rows, err := e.CalculateDependencyLevels(t.Context(), ids[i])
			require.NoError(t, err)
			require.Len(t, rows, task.nodes)
			for _, row := range rows {
				require.EqualValues(t, levels[nodeOf(row.WorkflowStepUUID)], row.DependencyLevel)
			}

			nodes, err := e.GetStepDAGRelationships(t.Context(), ids[i])
			require.NoError(t, err)
			require.Len(t, nodes, task.nodes)
			for n, node := range nodes {
				require.EqualValues(t, levels[n], node.DependencyLevel)
				require.EqualValues(t, depths[n], node.MinDepthFromRoot)
				require.Equal(t, neighbours(task.graph, task.parents[n], 0), positions(node.ParentStepUUIDs))
				require.Equal(t, neighbours(task.graph, task.children[n], 1), positions(node.ChildStepUUIDs))
				require.EqualValues(t, len(task.parents[n]), node.ParentCount)
				require.EqualValues(t, len(task.children[n]), node.ChildCount)
				require.Equal(t, len(task.parents[n]) == 0, node.IsRootStep)
				require.Equal(t, len(task.children[n]) == 0, node.IsLeafStep)
			}

			for range 3 {
				n, m := r.IntN(task.nodes), r.IntN(task.nodes)
				depth, err := e.CalculateStepDepth(t.Context(), stepID(ids[i], n))
				require.NoError(t, err)
				require.EqualValues(t, levels[n], depth)
				requireAncestors(t, e, task, ids[i], n)

				cycle, err := e.DetectCycle(t.Context(), stepID(ids[i], n), stepID(ids[i], m))
				require.NoError(t, err)
				_, leads := task.below(m)[n]
				require.Equal(t, leads || n == m, cycle, "an edge from %d to %d", n, m)
			}
		}
	})
}

func requireAncestors(t *testing.T, e *executor.SqlFunctionExecutor, task *task, id uuid.UUID, n int) {
	t.Helper()
	rows, err := e.GetStepTransitiveDependencies(t.Context(), stepID(id, n))
	require.NoError(t, err)
	have := map[int]int{}
	for _, row := range rows {
		ancestor := nodeOf(row.WorkflowStepUUID)
		have[ancestor] = int(row.Distance)
		require.Equal(t, task.steps[ancestor].state, row.CurrentState)
		require.Equal(t, task.steps[ancestor].state.SatisfiesDependencies(), row.Processed)
	}
	require.Len(t, rows, len(have), "each ancestor is returned once")
	require.Equal(t, task.above(n), have)
	require.True(t, slices.IsSortedFunc(rows, func(a, b gen.StepTransitiveDependency) int { return int(a.Distance - b.Distance) }), "the nearest ancestors come first")
}

func neighbours(g *graph, edges []int, end int) []int {
	nodes := make([]int, len(edges))
	for i, e := range edges {
		nodes[i] = g.edges[e][end]
	}
	slices.Sort(nodes)
	return nodes
}

func positions(steps []uuid.UUID) []int {
	nodes := make([]int, len(steps))
	for i, s := range steps {
		nodes[i] = nodeOf(s)
	}
	return nodes
}

func TestTemplate_ACycleIsFoundWhereThereIsOne(t *testing.T) {
	t.Parallel()
	e := executor.New(pgtest.New(t))

	rounds(t, 200, 5000, func(t *testing.T, r *rand.Rand) {
		g := randomGraph(r, size(r))
		problems, err := e.ValidateTaskTemplate(t.Context(), templateOf(t, g))
		require.NoError(t, err)
		if !g.hasCycle() {
			require.Empty(t, problems)
			return
		}
		require.Len(t, problems, 1)
		_, names, found := strings.Cut(problems[0].Problem, "in a cycle: ")
		require.True(t, found, problems[0].Problem)
		names, _, cut := strings.Cut(names, " -> ...")
		var circle []int
		for name := range strings.SplitSeq(names, " -> ") {
			n, err := strconv.Atoi(strings.TrimPrefix(name, "s"))
			require.NoError(t, err)
			circle = append(circle, n)
		}
		require.True(t, cut || circle[0] == circle[len(circle)-1], "the cycle ends where it begins")
		for i := range len(circle) - 1 {
			require.Contains(t, g.edges, [2]int{circle[i], circle[i+1]}, problems[0].Problem)
		}
	})
}

func templateOf(t *testing.T, g *graph) json.RawMessage {
	t.Helper()
	type step struct {
		Name         string   `json:"name"`
		Dependencies []string `json:"dependencies"`
	}
	steps := make([]step, g.nodes)
	for n := range steps {
		steps[n] = step{Name: fmt.Sprintf("s%d", n), Dependencies: []string{}}
		for _, e := range g.parents[n] {
			steps[n].Dependencies = append(steps[n].Dependencies, fmt.Sprintf("s%d", g.edges[e][0]))
		}
	}
	template, err := json.Marshal(map[string]any{"namespace": "n", "name": "t", "steps": steps})
	require.NoError(t, err)
	return template
}
