package draw

import (
	"slices"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
)

// Node is a node of the graph. Nodes are told apart by their place in the slice that they stand in.
type Node struct {
	Symbol  string
	Color   term.Color
	Parents []int
}

// Line is one line of a drawing.
type Line struct {
	// Node that stands in the line, or None.
	Node int
	Cell term.Cell
	// Repeated says that the node stands further up already.
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

// Levels draws no edges: nodes in the order of their longest way from a root, each level a group.
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

// levelsOf returns the length of the longest way to each node from a root.
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
