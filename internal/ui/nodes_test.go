package ui

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/ui/graph"
	"github.com/pgtasker/pgtasker/state"
)

var someTask = uuid.MustParse("01a20000-0000-7000-8000-123456780000")

// made makes steps of names with their states, numbered from 1 on.
func made(pairs ...string) (steps []executor.StepDetail) {
	for i := 0; i < len(pairs); i += 2 {
		id := someTask
		id[15] = byte(i/2 + 1)
		steps = append(steps, executor.StepDetail{
			WorkflowStepUUID: id, TaskUUID: someTask, StepNo: int32(i/2 + 1), Name: pairs[i], Handler: "h", State: state.StepState(pairs[i+1]), MaxAttempts: 3,
		})
	}
	return steps
}

// after makes the relationships of steps: for each number the numbers of its parents.
func after(steps []executor.StepDetail, parents map[int][]int) (dag []gen.StepDAGNode) {
	for i, s := range steps {
		node := gen.StepDAGNode{WorkflowStepUUID: s.WorkflowStepUUID}
		for _, p := range parents[i+1] {
			node.ParentStepUUIDs = append(node.ParentStepUUIDs, steps[p-1].WorkflowStepUUID)
		}
		dag = append(dag, node)
	}
	return dag
}

func TestTaskNodes_FoldAMapWithItsInstances(t *testing.T) {
	t.Parallel()
	steps := made("check", "complete", "price", "pending", "total", "pending", "price[0]", "complete", "price[1]", "in_progress", "price[2]", "enqueued")
	dag := after(steps, map[int][]int{2: {1, 4, 5, 6}, 3: {2}, 4: {1}, 5: {1}, 6: {1}})
	nodes := taskNodes(steps, dag)
	require.Len(t, nodes, 3)
	check, price, total := nodes[0], nodes[1], nodes[2]
	require.Equal(t, []string{"check", "price", "total"}, []string{check.Title, price.Title, total.Title})
	require.Equal(t, [][]int{nil, {0}, {1}}, [][]int{check.Parents, price.Parents, total.Parents}, "the map depends neither on itself nor twice on another")
	require.True(t, price.Stack)
	require.Equal(t, "1/3 · 1 in progress", price.Below)
	require.Equal(t, "active", price.Class)
	require.Equal(t, "price, a map: pending, 3 elements, 1 in progress, 1 enqueued, 1 complete", price.Whole)
	require.Equal(t, "n2", price.ID, "the node has the number of the map")
	require.Equal(t, taskPath(someTask)+"?state=in_progress#steps", price.Href)
	require.False(t, total.Stack)
}

func TestTaskNodes_SayThatAMapIsOfTasksAndAnElementLeadsToItsTask(t *testing.T) {
	t.Parallel()
	steps := made("ship", "pending", "ship[0]", "complete", "ship[1]", "suspended", "ship[2]", "pending")
	for i := 1; i < 3; i++ {
		child := someTask
		child[0] = byte(i)
		steps[i].ChildTaskUUID = &child
	}
	nodes := taskNodes(steps, nil)
	require.Len(t, nodes, 1)
	require.Equal(t, "ship ↗", nodes[0].Title, "as the step of one task")
	require.Equal(t, "ship, a map of tasks: pending, 3 elements, 1 suspended, 1 pending, 1 complete", nodes[0].Whole)
	require.Equal(t, taskPath(*steps[2].ChildTaskUUID), stepNode(steps[2]).Href)
}

func TestTaskNodes_SayHowAMapEnded(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		pairs        []string
		below, class string
	}{
		{[]string{"m", "complete", "m[0]", "complete", "m[1]", "cancelled"}, "1 of 2 complete", "done"},
		{[]string{"m", "error", "m[0]", "complete", "m[1]", "error"}, "1 of 2 error", "failed"},
		{[]string{"m", "pending", "m[0]", "waiting_for_retry", "m[1]", "in_progress"}, "1 of 2 waiting for retry", "warn"},
		{[]string{"m", "cancelled", "m[0]", "cancelled", "m[1]", "cancelled"}, "2 of 2 cancelled", "off"},
	} {
		n := taskNodes(made(test.pairs...), nil)[0]
		require.Equal(t, test.below, n.Below)
		require.Equal(t, test.class, n.Class, test.below)
	}
}

func TestTaskNodes_KeepNamesThatOnlyLookLikeInstances(t *testing.T) {
	t.Parallel()
	nodes := taskNodes(made("a[0]", "complete", "[1]", "pending", "b", "pending"), nil)
	require.Equal(t, []string{"a[0]", "[1]", "b"}, []string{nodes[0].Title, nodes[1].Title, nodes[2].Title}, "names that only look like instances are shown as they are")
}

func TestTaskNodes_LeadFromStepsToTheirCompensations(t *testing.T) {
	t.Parallel()
	steps := made("book", "complete", "leg", "complete", "pay", "cancelled", "leg[0]", "complete", "leg[1]", "complete",
		"undo leg[0]", "complete", "undo leg[1]", "in_progress", "undo book", "enqueued")
	for place, undone := range map[int]int32{5: 4, 6: 5, 7: 1} {
		steps[place].UndoNo = &undone
	}
	nodes := taskNodes(steps, after(steps, map[int][]int{2: {1, 4, 5}, 3: {2}, 4: {1}, 5: {1}}))
	require.Len(t, nodes, 5)
	legs, book := nodes[3], nodes[4]
	require.Equal(t, []string{"undo leg", "undo book"}, []string{legs.Title, book.Title})
	require.Equal(t, [][]int{{1}, {0}}, [][]int{legs.Parents, book.Parents}, "those of elements belong to their map")
	require.True(t, legs.Undo && legs.Stack && book.Undo)
	require.Equal(t, "1/2 · 1 in progress", legs.Below)
	require.Equal(t, "undo leg, the compensations of a map: in progress, 2 elements, 1 in progress, 1 complete, undoes leg", legs.Whole)
	require.Equal(t, "undo book: enqueued, attempt 0 of 3, handler h, undoes book", book.Whole)
	drawn := string(graph.Draw(nodes, "x"))
	require.Equal(t, 2, strings.Count(drawn, `class="edge undo`))
	require.Equal(t, 2, strings.Count(drawn, `class="node undo`))
}

func TestTemplateNodes_ShowCompensations(t *testing.T) {
	t.Parallel()
	steps := []templateStep{{Name: "book", Handler: "book", Compensate: "cancel"}, {Name: "mail", Handler: "mail"}}
	nodes := append(templateNodes(steps), undoNodes(steps)...)
	require.Len(t, nodes, 3)
	require.Equal(t, graph.Node{
		ID: "u1", Title: "undo book", Below: "cancel", Whole: "undo book, cancel: undoes book if the task fails or is cancelled", Class: "plain", Icon: "ready",
		Parents: []int{0}, Undo: true,
	}, nodes[2])
}

func TestUndone_SaysHowFarATaskIs(t *testing.T) {
	t.Parallel()
	for raw, said := range map[string]string{
		``: "",
		`{"phase": "drain", "event": "Cancel", "to_state": "cancelled", "actor": "ann"}`: "Cancel by ann: the task is being undone. Its steps in progress end first, then compensations run; it will be cancelled.",
		`{"phase": "undo", "event": "Timeout", "to_state": "error"}`:                     "Timeout: the task is being undone. Compensations run; it will be error.",
		`{"phase": "done", "event": "GiveUp", "to_state": "error"}`:                      "GiveUp: the task was undone. All compensations are done, or were given up.",
	} {
		require.Equal(t, said, taskPage{Task: executor.TaskDetail{Undo: json.RawMessage(raw)}}.Undone())
	}
}

func TestStepNode_LeadsToTheChildTask(t *testing.T) {
	t.Parallel()
	step := made("invoice", "suspended")[0]
	require.Equal(t, stepPath(step.WorkflowStepUUID), stepNode(step).Href)
	child := uuid.MustParse("01a20000-0000-7000-8000-abcdefab0000")
	step.ChildTaskUUID = &child
	n := stepNode(step)
	require.Equal(t, taskPath(child), n.Href)
	require.Equal(t, "invoice: suspended, child task abcdefab", n.Whole)
	step.ChildTaskUUID, step.Attempts = nil, 2
	require.Equal(t, "suspended · 2/3", stepNode(step).Below)
}

func TestFoldedNodes_GiveATemplateTheStatesOfATask(t *testing.T) {
	t.Parallel()
	template := []templateStep{
		{Name: "check", Handler: "h"},
		{Name: "price", Handler: "h", ForEach: []byte(`"$.lines"`), Dependencies: []json.RawMessage{json.RawMessage(`"check"`)}},
		{Name: "total", Handler: "h", Dependencies: []json.RawMessage{json.RawMessage(`{"step": "price", "when": "$ > 1"}`)}},
	}
	pairs := []string{"check", "complete", "price", "pending", "total", "pending"}
	for i := range 190 {
		pairs = append(pairs, fmt.Sprintf("price[%d]", i), "complete")
	}
	first := made(pairs...)
	first[1].TotalParents, first[1].PendingParents = 1001, 300
	nodes := foldedNodes(template, first)
	require.Len(t, nodes, 3)
	require.Equal(t, []graph.Node{
		{ID: "n1", Title: "check", Below: "complete", Whole: "check: complete, attempt 0 of 3, handler h", Class: "done", Icon: "check", Href: stepPath(first[0].WorkflowStepUUID)},
		{ID: "n2", Title: "price", Below: "700 done · 300 open", Whole: "price, a map: 700 done · 300 open", Class: "active", Icon: "running", Href: stepPath(first[1].WorkflowStepUUID), Parents: []int{0}, Stack: true},
	}, nodes[:2])
	require.Equal(t, []int{1}, nodes[2].Parents)
	first[1].TotalParents, first[1].PendingParents = 1, 1
	require.Equal(t, "pending", foldedNodes(template, first)[1].Below, "a map without instances is pending")
}

func TestNodesAndTemplates_NameTheFunctionOfASQLStep(t *testing.T) {
	t.Parallel()
	steps := made("reserve", "complete")
	steps[0].Handler = "sql:shop.reserve"
	require.Equal(t, "reserve: complete, attempt 0 of 3, SQL function shop.reserve", taskNodes(steps, nil)[0].Whole)
	require.Equal(t, "SQL function shop.reserve", templateStep{Handler: "sql:shop.reserve"}.Kind())
	require.Equal(t, "for each: SQL function shop.reserve", templateStep{Handler: "sql:shop.reserve", ForEach: json.RawMessage(`"items"`)}.Kind())
	require.Equal(t, "ship", templateStep{Handler: "ship"}.Kind())
	require.Equal(t, "SQL function shop.reserve is paused.", capital(namedHandler("sql:shop.reserve"))+" is paused.")
	require.Equal(t, "Handler ship is paused.", capital(namedHandler("ship"))+" is paused.")
}

func TestMap_FailedIsDrawnAsFailed(t *testing.T) {
	t.Parallel()
	why := "the tape is empty"
	step := func(name string, state state.StepState, failure *string) executor.StepDetail {
		return executor.StepDetail{Name: name, LastError: failure, State: state}
	}
	elements := []executor.StepDetail{step("embed[0]", "complete", nil), step("embed[1]", "cancelled", &why), step("embed[2]", "cancelled", nil)}
	g := folded{step: step("embed", "error", nil), instances: elements}
	n := mapNode(stepNode(g.step), g)
	require.Equal(t, []string{"failed", "cross"}, []string{n.Class, n.Icon}, "a map that has failed does not run")
	require.Equal(t, "1 of 3 failed", n.Below)
	require.Contains(t, n.Href, "?state=failed#steps", "it leads to the elements that failed")
	many := foldedNodes([]templateStep{{Name: "embed", ForEach: json.RawMessage(`"$.lines"`)}}, []executor.StepDetail{{Name: "embed", State: g.step.State, TotalParents: 500}})
	require.Equal(t, "failed", many[0].Class)
}

func TestFold_KeepsFailuresAndTheirNeighbours(t *testing.T) {
	t.Parallel()
	nodes := make([]graph.Node, 200)
	for i := range nodes {
		nodes[i] = graph.Node{ID: fmt.Sprint(i), Title: fmt.Sprint("step ", i), Below: "complete", Class: "done"}
		if i >= 20 {
			nodes[i].Parents = []int{i - 20}
		}
	}
	nodes[45].Below, nodes[45].Class = "error", "failed"
	folded := foldNodes(nodes, func(state string) string { return "?state=" + state })
	var titles []string
	for _, n := range folded {
		titles = append(titles, n.Title)
		for _, p := range n.Parents {
			require.NotEqual(t, n.ID, folded[p].ID)
		}
	}
	require.Len(t, folded, 13, "ten columns of 20, and the failure with its parent and its child")
	require.Subset(t, titles, []string{"step 25", "step 45", "step 65", "19 steps", "20 steps"})
	require.Equal(t, nodes[:60], foldNodes(nodes[:60], nil), "a small graph stays as it is")
}

func TestTimeline_OfManyStepsFoldsMaps(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)
	at := func(s int) *time.Time { moment := noon.Add(time.Duration(s) * time.Second); return &moment }
	why := "no paper"
	drawn := stepBars([]executor.StepDetail{
		{StepNo: 1, Name: "print", State: "complete", LastAttemptedAt: at(0), ProcessedAt: at(50)},
		{StepNo: 2, Name: "print[0]", State: "complete", LastAttemptedAt: at(10), ProcessedAt: at(20)},
		{StepNo: 3, Name: "print[1]", State: "complete", LastAttemptedAt: at(5), ProcessedAt: at(40)},
		{StepNo: 4, Name: "print[2]", State: "cancelled", LastAttemptedAt: at(6), ProcessedAt: at(9), LastError: &why},
		{StepNo: 5, Name: "send", State: "pending"},
	}, noon.Add(time.Minute))
	require.Len(t, drawn, 3)
	require.Equal(t, []string{"print", "print[…]", "print[2]"}, []string{drawn[0].Name, drawn[1].Name, drawn[2].Name})
	require.Equal(t, 35*time.Second, drawn[1].Until.Sub(drawn[1].From))
	require.Equal(t, "failed", drawn[2].Class, "an element that failed has a row of its own")
}
