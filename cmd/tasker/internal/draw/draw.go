package draw

import (
	"slices"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
)

// Node is a node of the graph. The identity of a node is its place in the slice of nodes.
type Node struct {
	Symbol  string
	Color   term.Color
	Parents []int
}

// Line is one line of a drawing.
type Line struct {
	// Node is the node in the line, or None.
	Node int
	Cell term.Cell
	// Repeated says that an earlier line has the same node.
	Repeated bool
}

// None is the node of a line that has only edges.
const None = -1

// children returns the children of each node, in order.
func children(nodes []Node) [][]int {
	lists := make([][]int, len(nodes))
	for i, node := range nodes {
		for _, parent := range node.Parents {
			lists[parent] = append(lists[parent], i)
		}
	}
	return lists
}

// Levels draws the nodes without edges, grouped and ordered by the length of their longest path from a root.
func Levels(nodes []Node) []Line {
	levels := levelsOf(nodes)
	order := make([]int, len(nodes))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return levels[a] - levels[b] })

	var lines []Line
	for i, node := range order {
		if i > 0 && levels[node] != levels[order[i-1]] {
			lines = append(lines, Line{Node: None})
		}
		lines = append(lines, Line{Node: node, Cell: cell(nodes[node], "", "")})
	}
	return lines
}

func cell(node Node, before, after string) term.Cell {
	return term.Drawing(before, node.Symbol, node.Color, after)
}

// levelsOf returns, for each node, the length of the longest path from a root.
func levelsOf(nodes []Node) []int {
	levels := make([]int, len(nodes))
	next := children(nodes)
	open := make([]int, len(nodes))
	var ready []int
	for i, node := range nodes {
		if open[i] = len(node.Parents); open[i] == 0 {
			ready = append(ready, i)
		}
	}
	for len(ready) > 0 {
		node := ready[0]
		ready = ready[1:]
		for _, child := range next[node] {
			levels[child] = max(levels[child], levels[node]+1)
			if open[child]--; open[child] == 0 {
				ready = append(ready, child)
			}
		}
	}
	return levels
}
