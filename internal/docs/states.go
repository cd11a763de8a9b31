package docs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgtasker/pgtasker/gen"
)

// edge is a transition of a task or of a step, with the states as text.
type edge struct{ from, event, to string }

func taskEdges(transitions []gen.TaskTransition) (edges []edge) {
	for _, t := range transitions {
		edges = append(edges, edge{string(t.FromState), t.Event, string(t.ToState)})
	}
	return edges
}

func stepEdges(transitions []gen.StepTransition) (edges []edge) {
	for _, t := range transitions {
		edges = append(edges, edge{string(t.FromState), t.Event, string(t.ToState)})
	}
	return edges
}

// diagram draws a state machine in Mermaid: one arrow for each pair of states, with all its events.
func diagram(edges []edge, terminal []string) string {
	var b strings.Builder
	b.WriteString("```mermaid\nstateDiagram-v2\n    [*] --> pending\n")
	for i := 0; i < len(edges); {
		events := []string{edges[i].event}
		j := i + 1
		for ; j < len(edges) && edges[j].from == edges[i].from && edges[j].to == edges[i].to; j++ {
			events = append(events, edges[j].event)
		}
		fmt.Fprintf(&b, "    %s --> %s : %s\n", edges[i].from, edges[i].to, strings.Join(events, ", "))
		i = j
	}
	for _, state := range terminal {
		fmt.Fprintf(&b, "    %s --> [*]\n", state)
	}
	b.WriteString("```\n")
	return b.String()
}

func taskTable(rows []gen.TaskStateProperties) string {
	b := newTable("state", "terminal", "requires ownership", "active", "waiting", "can be processed", "meaning")
	for _, r := range rows {
		b.row(string(r.State), r.Terminal, r.RequiresOwnership, r.Active, r.Waiting, r.CanBeProcessed, r.Description)
	}
	return b.String()
}

func stepTable(rows []gen.StepStateProperties) string {
	b := newTable("state", "terminal", "error", "active", "in pipeline", "ready for claiming",
		"satisfies dependencies", "settles dependencies", "meaning")
	for _, r := range rows {
		b.row(string(r.State), r.Terminal, r.Error, r.Active, r.InProcessingPipeline, r.ReadyForClaiming,
			r.SatisfiesDependencies, r.SettlesDependencies, r.Description)
	}
	return b.String()
}

// table is a Markdown table. A true cell says yes, and a false cell is empty.
type table struct{ strings.Builder }

func newTable(heads ...string) *table {
	var t table
	t.WriteString("| " + strings.Join(heads, " | ") + " |\n")
	t.WriteString(strings.Repeat("|---", len(heads)) + "|\n")
	return &t
}

func (t *table) row(cells ...any) {
	for _, cell := range cells {
		switch cell := cell.(type) {
		case bool:
			t.WriteString("| " + map[bool]string{true: "yes", false: ""}[cell] + " ")
		default:
			_, _ = fmt.Fprintf(t, "| %v ", cell)
		}
	}
	t.WriteString("|\n")
}

func terminalTasks(rows []gen.TaskStateProperties) (states []string) {
	for _, r := range rows {
		if r.Terminal {
			states = append(states, string(r.State))
		}
	}
	return slices.Clip(states)
}

func terminalSteps(rows []gen.StepStateProperties) (states []string) {
	for _, r := range rows {
		if r.Terminal {
			states = append(states, string(r.State))
		}
	}
	return slices.Clip(states)
}
