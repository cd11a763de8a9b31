package ui

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/ui/graph"
)

// A template's graph marks which end of a step another step waits for. It also marks steps that begin with the first
// of several parents.
func TestGraph_MarksFailureBranchesAndTheFirst(t *testing.T) {
	t.Parallel()
	var steps []templateStep
	require.NoError(t, json.Unmarshal([]byte(`[{"name": "reserve"}, {"name": "send", "dependencies": ["reserve"]},
		{"name": "alert", "dependencies": [{"step": "send", "on": "failed"}]}, {"name": "thanks", "dependencies": [{"step": "send", "on": "complete"}]},
		{"name": "cleanup", "dependencies": [{"step": "send", "on": "ended"}, "reserve"], "join": "first"}]`), &steps))
	nodes := templateNodes(steps)
	require.Equal(t, map[int]string{1: "failed"}, nodes[2].On)
	require.Empty(t, nodes[3].On)
	require.Equal(t, map[int]string{1: "ended"}, nodes[4].On)
	require.True(t, nodes[4].First)
	drawn := string(graph.Draw(nodes, "x"))
	require.Contains(t, drawn, `<path class="edge on-failed plain"`)
	require.Contains(t, drawn, `<title>alert, if send has failed</title>`)
	require.Contains(t, drawn, `<path class="edge on-ended plain"`)
	require.Contains(t, drawn, `<circle class="first"`)
	legend := string(graph.Legend(nodes))
	for _, text := range []string{"after success", "after a failure", "after any end", "begins with the first of the steps before it"} {
		require.Contains(t, legend, text)
	}
	require.Empty(t, graph.Legend(nodes[:2]), "a graph without marks needs no legend")
}

// A task's graph has the marks of its template, also after others were folded.
func TestGraph_ATaskHasTheMarksOfItsTemplate(t *testing.T) {
	t.Parallel()
	steps := made("send", "complete", "alert", "cancelled", "cleanup", "pending")
	steps[2].JoinMode = "first"
	dag := after(steps, map[int][]int{2: {1}, 3: {1, 2}})
	dag[1].ParentOutcomes, dag[2].ParentOutcomes = []string{"failed"}, []string{"ended", "complete"}
	nodes := taskNodes(steps, dag)
	require.Equal(t, map[int]string{0: "failed"}, nodes[1].On)
	require.Equal(t, map[int]string{0: "ended"}, nodes[2].On)
	require.True(t, nodes[2].First)
	require.Contains(t, nodes[1].Whole, ", if send has failed")
	require.Contains(t, nodes[2].Whole, ", begins with the first of the steps before it")
}
