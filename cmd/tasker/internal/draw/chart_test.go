package draw

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Users choose names and conditions: nothing in them may end a label or begin markup.
func TestChart_EscapesItsTexts(t *testing.T) {
	t.Parallel()
	c := Chart{Title: `a "b" \`, Nodes: []ChartNode{
		{Lines: []string{`x"]; y --> z`, "<b>#1</b>"}},
		{Lines: []string{`back\slash`}, Shape: Stack, Fill: "#c8e6c9", Edges: []ChartEdge{{From: 0, Label: `$.by == "a" && $.n < 3`}}},
		{Lines: []string{"undo x"}, Shape: Undo, Edges: []ChartEdge{{From: 0, Dashed: true, Label: "undone by"}, {From: 1, Dashed: true}}},
	}}
	require.Equal(t, `---
title: "a \"b\" \\"
---
flowchart TD
  n0["x#quot;]; y --#gt; z<br/>#lt;b#gt;#35;1#lt;/b#gt;"]
  n1[/"back#92;slash"/]
  n2{{"undo x"}}
  n0 -->|"$.by == #quot;a#quot; #amp;#amp; $.n #lt; 3"| n1
  n0 -.->|"undone by"| n2
  n1 -.-> n2
  style n1 fill:#c8e6c9,color:#000
`, c.Mermaid())
	require.Equal(t, `digraph {
  label="a \"b\" \\"
  labelloc=t
  node [fontname="Helvetica"]
  edge [fontname="Helvetica", fontsize=10]
  n0 [label="x\"]; y --> z\n<b>#1</b>", shape=box]
  n1 [label="back\\slash", shape=box, peripheries=2, style=filled, fillcolor="#c8e6c9"]
  n2 [label="undo x", shape=hexagon]
  n0 -> n1 [label="$.by == \"a\" && $.n < 3"]
  n0 -> n2 [label="undone by", style=dashed]
  n1 -> n2 [style=dashed]
}
`, c.Graphviz())
}
