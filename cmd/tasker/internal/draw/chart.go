package draw

import (
	"fmt"
	"strings"
)

// Chart is a graph for programs that compute its layout themselves.
type Chart struct {
	Title string
	Nodes []ChartNode
}

// ChartNode is a node of a chart. Its parents are edges that lead to it.
type ChartNode struct {
	Lines []string // of its label
	Shape Shape
	Fill  string // #rrggbb; empty for none
	Edges []ChartEdge
}

// ChartEdge is an edge from a node, which is named by its place in the chart. Its label may be a condition. A dashed edge is
// not a dependency.
type ChartEdge struct {
	From   int
	Label  string
	Dashed bool
}

// Shape distinguishes kinds of nodes.
type Shape int

// The shapes.
const (
	Box    Shape = iota // a step with a handler
	Stack               // a map: a step for each element
	Nested              // a step that starts a task
	Pause               // a step that waits
	Undo                // a step that undoes another
)

var (
	mermaidShapes  = [][2]string{Box: {"[", "]"}, Stack: {"[/", "/]"}, Nested: {"[[", "]]"}, Pause: {"([", "])"}, Undo: {"{{", "}}"}}
	graphvizShapes = []string{Box: "box", Stack: "box, peripheries=2", Nested: "component", Pause: "ellipse", Undo: "hexagon"}
)

// mermaidText keeps Mermaid from reading markup, a comment or the end of the label in a text.
var mermaidText = strings.NewReplacer(
	"#", "#35;", `"`, "#quot;", "&", "#amp;", "<", "#lt;", ">", "#gt;", "`", "#96;", "\\", "#92;", "%", "#37;", "\n", " ",
)

// Mermaid writes the chart as a Mermaid flowchart, as Markdown pages of GitHub and GitLab show it.
func (c Chart) Mermaid() string {
	var b strings.Builder
	fmt.Fprintf(&b, "---\ntitle: \"%s\"\n---\nflowchart TD\n", strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ").Replace(c.Title))
	for i, node := range c.Nodes {
		shape := mermaidShapes[node.Shape]
		fmt.Fprintf(&b, "  n%d%s\"%s\"%s\n", i, shape[0], escaped(node.Lines, mermaidText, "<br/>"), shape[1])
	}
	for i, node := range c.Nodes {
		for _, edge := range node.Edges {
			label := ""
			if edge.Label != "" {
				label = `|"` + mermaidText.Replace(edge.Label) + `"|`
			}
			arrow := "-->"
			if edge.Dashed {
				arrow = "-.->"
			}
			fmt.Fprintf(&b, "  n%d %s%s n%d\n", edge.From, arrow, label, i)
		}
	}
	for i, node := range c.Nodes {
		if node.Fill != "" {
			fmt.Fprintf(&b, "  style n%d fill:%s,color:#000\n", i, node.Fill)
		}
	}
	return b.String()
}

// graphvizText keeps Graphviz from reading an escape or the end of the label in a text.
var graphvizText = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ")

// Graphviz writes the chart in the language of Graphviz: dot -Tsvg makes a picture of it.
func (c Chart) Graphviz() string {
	var b strings.Builder
	fmt.Fprintf(&b, "digraph {\n  label=\"%s\"\n  labelloc=t\n  node [fontname=\"Helvetica\"]\n  edge [fontname=\"Helvetica\", fontsize=10]\n",
		graphvizText.Replace(c.Title))
	for i, node := range c.Nodes {
		fill := ""
		if node.Fill != "" {
			fill = fmt.Sprintf(", style=filled, fillcolor=%q", node.Fill)
		}
		fmt.Fprintf(&b, "  n%d [label=\"%s\", shape=%s%s]\n", i, escaped(node.Lines, graphvizText, `\n`), graphvizShapes[node.Shape], fill)
	}
	for i, node := range c.Nodes {
		for _, edge := range node.Edges {
			var marks []string
			if edge.Label != "" {
				marks = append(marks, `label="`+graphvizText.Replace(edge.Label)+`"`)
			}
			if edge.Dashed {
				marks = append(marks, "style=dashed")
			}
			list := ""
			if len(marks) > 0 {
				list = " [" + strings.Join(marks, ", ") + "]"
			}
			fmt.Fprintf(&b, "  n%d -> n%d%s\n", edge.From, i, list)
		}
	}
	b.WriteString("}\n")
	return b.String()
}

func escaped(lines []string, by *strings.Replacer, end string) string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = by.Replace(line)
	}
	return strings.Join(out, end)
}
