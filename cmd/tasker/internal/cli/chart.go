package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/draw"
	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/state"
	"github.com/pgtasker/pgtasker/template"
)

// chartFormat is the flag --format of commands that show a graph.
type chartFormat string

var chartFormats = []string{"mermaid", "dot"}

func (f *chartFormat) flag(command *cobra.Command) {
	command.Flags().Var(f, "format", "print the graph for other programs: mermaid for Markdown pages, dot for Graphviz")
	_ = command.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(chartFormats, cobra.ShellCompDirectiveNoFileComp))
}

func (f *chartFormat) String() string { return string(*f) }
func (f *chartFormat) Type() string   { return "mermaid|dot" }

// Set takes mermaid or dot.
func (f *chartFormat) Set(text string) error {
	if !slices.Contains(chartFormats, text) {
		return fmt.Errorf("%q is neither mermaid nor dot", text)
	}
	*f = chartFormat(text)
	return nil
}

func (a *app) printChart(f chartFormat, c draw.Chart) error {
	text := c.Mermaid
	if f == "dot" {
		text = c.Graphviz
	}
	_, err := a.Out.Write([]byte(text()))
	return err
}

// templateChart returns the graph of a template with the handlers of its steps and the conditions of its edges.
func templateChart(title string, normal json.RawMessage) (c draw.Chart, err error) {
	var t template.Template
	if err := json.Unmarshal(normal, &t); err != nil {
		return c, fmt.Errorf("read the template that the database returned: %w", err)
	}
	place := map[string]int{}
	for i, step := range t.Steps {
		place[step.Name] = i
	}
	c.Title = term.Clean(title)
	for _, step := range t.Steps {
		node := draw.ChartNode{Lines: []string{term.Clean(step.Name)}, Shape: stepShape(step)}
		if work := stepWork(step); work != "" && work != step.Name {
			node.Lines = append(node.Lines, term.Clean(work))
		}
		if step.Join != "" && step.Join != "all" {
			node.Lines = append(node.Lines, "join: "+term.Clean(step.Join))
		}
		for _, dependency := range step.Dependencies {
			node.Edges = append(node.Edges, draw.ChartEdge{From: place[dependency.Step], Label: term.Clean(dependency.When)})
		}
		c.Nodes = append(c.Nodes, node)
	}
	for i, step := range t.Steps {
		if step.Compensate != "" {
			c.Nodes = append(c.Nodes, draw.ChartNode{
				Lines: []string{term.Clean("undo " + step.Name), term.Clean(step.Compensate)}, Shape: draw.Undo, Edges: undoneBy(i),
			})
		}
	}
	return c, nil
}

// undoneBy returns the edge from a step to its compensation.
func undoneBy(place int) []draw.ChartEdge {
	return []draw.ChartEdge{{From: place, Label: "undone by", Dashed: true}}
}

func stepShape(step template.Step) draw.Shape {
	switch {
	case step.ForEach != nil:
		return draw.Stack
	case step.Task != nil:
		return draw.Nested
	case len(step.Await) > 0:
		return draw.Pause
	}
	return draw.Box
}

// chart returns the graph of a task with the states of its steps. A folded map shows the number of its instances.
func (g taskGraph) chart(title string, template draw.Chart) draw.Chart {
	shapes := map[string]draw.Shape{}
	for _, node := range template.Nodes {
		shapes[node.Lines[0]] = node.Shape
	}
	c := draw.Chart{Title: term.Clean(title)}
	for i, step := range g.steps {
		node := draw.ChartNode{Lines: []string{term.Clean(step.Name), string(step.State)}, Shape: shapes[term.Clean(step.Name)], Fill: stepFill(step.State)}
		if g.maps[i] != "" {
			node.Lines = append(node.Lines, g.maps[i])
		}
		if step.ChildTaskUUID != nil {
			node.Lines = append(node.Lines, "task "+shortID(*step.ChildTaskUUID))
		}
		if step.State == state.StepError {
			node.Lines = append(node.Lines, term.Clean(firstLine(text(step.LastError))))
		}
		for _, parent := range g.parents[i] {
			node.Edges = append(node.Edges, draw.ChartEdge{From: parent})
		}
		if undone, undoes := g.undoes[i]; undoes {
			node.Shape, node.Edges = draw.Undo, undoneBy(undone)
		}
		c.Nodes = append(c.Nodes, node)
	}
	return c
}

// firstLine returns the beginning of an error, short enough for a node.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	if r := []rune(line); len(r) > 60 {
		line = string(r[:59]) + "…"
	}
	return line
}

// stepFill returns the colour of a step in a state.
func stepFill(s state.StepState) string {
	switch stepLook(s).color {
	case term.Green:
		return "#c8e6c9"
	case term.Red:
		return "#ffcdd2"
	case term.Yellow:
		return "#fff9c4"
	case term.Cyan, term.Blue:
		return "#bbdefb"
	case term.Magenta:
		return "#e1bee7"
	case term.Dim:
		return "#e0e0e0"
	}
	return ""
}

// taskChart prints the graph of a task. Steps have the shapes that the template gives them. Maps are folded unless all is set.
func (a *app) taskChart(ctx context.Context, f chartFormat, t executor.TaskDetail, g taskGraph, all bool) error {
	e, err := a.executor(ctx)
	if err != nil {
		return err
	}
	registered, err := e.GetTaskTemplate(ctx, t.Namespace, t.Name, t.Version)
	if err != nil {
		return err
	}
	shapes, err := templateChart("", registered.Template)
	if err != nil {
		return err
	}
	if !all {
		g = g.folded()
	}
	return a.printChart(f, g.chart(taskTemplate(t)+" "+shortID(t.TaskUUID), shapes))
}
