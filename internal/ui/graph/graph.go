// Package graph draws a directed acyclic graph as SVG, from left to right: nodes in columns by their longest way from a
// root, edges as curves that pass between the nodes of the columns that they cross.
//
// The package does not know tasks. A node is a title, a line below the title, a shape, a class for the style sheet
// and a link.
package graph

import (
	"cmp"
	"slices"
)

// Node is a node of the graph. The index in the slice of nodes identifies it.
type Node struct {
	// ID is unique on the page, so that a script finds the node again.
	ID string
	// Title and Below are the lines of text, and Whole the text that is read out and shown on hovering.
	Title, Below, Whole string
	// Class has the node's CSS classes, and Icon is a symbol of the page.
	Class, Icon string
	// Href is the node's link, if it is not empty.
	Href string
	// Parents are the nodes before this node.
	Parents []int
	// Stack draws the node as a stack, because it stands for several nodes.
	Stack bool
	// Undo draws the node, and the edges that lead to it, dashed, because it undoes its parents.
	Undo bool
	// On says which end of a parent the node waits for, failed or ended. The node waits for the success of its other
	// parents.
	On map[int]string
	// First marks that the node begins with the first of its parents and does not wait for the others.
	First bool
}

// The measures of a drawing.
const (
	nodeWidth  = 196
	nodeHeight = 46
	columnGap  = 56
	rowGap     = 18
	thread     = 10 // the height of an edge that passes a column
	margin     = 8
)

// slot is a node in its column, or an edge that passes it.
type slot struct {
	node  int // -1 for an edge
	edge  [2]int
	above []int // slots of the column before
	below []int // slots of the column after
	order float64
	y     float64
}

func (s slot) height() float64 {
	if s.node < 0 {
		return thread
	}
	return nodeHeight
}

// Levels returns the column of each node.
func Levels(nodes []Node) []int { return columns(nodes) }

// columns returns the length of the longest way to each node from a root.
func columns(nodes []Node) []int {
	levels := make([]int, len(nodes))
	open := make([]int, len(nodes))
	children := make([][]int, len(nodes))
	var ready []int
	for i, n := range nodes {
		for _, p := range n.Parents {
			children[p] = append(children[p], i)
		}
		if open[i] = len(n.Parents); open[i] == 0 {
			ready = append(ready, i)
		}
	}
	for len(ready) > 0 {
		n := ready[0]
		ready = ready[1:]
		for _, child := range children[n] {
			levels[child] = max(levels[child], levels[n]+1)
			if open[child]--; open[child] == 0 {
				ready = append(ready, child)
			}
		}
	}
	return levels
}

// layout has the places of all nodes and edges.
type layout struct {
	slots   []slot
	columns [][]int
	// of has the slot of each node. ways has the slots that each edge passes, from parent to child.
	of            []int
	ways          map[[2]int][]int
	width, height float64
}

// arrange places the nodes.
func arrange(nodes []Node) layout {
	levels := columns(nodes)
	l := layout{of: make([]int, len(nodes)), ways: map[[2]int][]int{}}
	for i := range nodes {
		l.add(levels[i], slot{node: i})
		l.of[i] = len(l.slots) - 1
	}
	for child, n := range nodes {
		for _, parent := range n.Parents {
			edge := [2]int{parent, child}
			way := []int{l.of[parent]}
			for column := levels[parent] + 1; column < levels[child]; column++ {
				l.add(column, slot{node: -1, edge: edge})
				way = append(way, len(l.slots)-1)
			}
			way = append(way, l.of[child])
			for i := 1; i < len(way); i++ {
				l.slots[way[i-1]].below = append(l.slots[way[i-1]].below, way[i])
				l.slots[way[i]].above = append(l.slots[way[i]].above, way[i-1])
			}
			l.ways[edge] = way
		}
	}
	l.untangle()
	l.place()
	return l
}

func (l *layout) add(column int, s slot) {
	for len(l.columns) <= column {
		l.columns = append(l.columns, nil)
	}
	l.slots = append(l.slots, s)
	l.columns[column] = append(l.columns[column], len(l.slots)-1)
}

// untangle orders each column by the places of its neighbours, forth and back, so that few edges cross.
func (l *layout) untangle() {
	number := func(column []int) {
		for i, s := range column {
			l.slots[s].order = float64(i)
		}
	}
	for _, column := range l.columns {
		number(column)
	}
	sweep := func(column []int, neighbours func(s slot) []int) {
		means := map[int]float64{}
		for _, s := range column {
			near := neighbours(l.slots[s])
			if len(near) == 0 {
				means[s] = l.slots[s].order
				continue
			}
			for _, n := range near {
				means[s] += l.slots[n].order / float64(len(near))
			}
		}
		slices.SortStableFunc(column, func(a, b int) int { return cmp.Compare(means[a], means[b]) })
		number(column)
	}
	for range 4 {
		for i := 1; i < len(l.columns); i++ {
			sweep(l.columns[i], func(s slot) []int { return s.above })
		}
		for i := len(l.columns) - 2; i >= 0; i-- {
			sweep(l.columns[i], func(s slot) []int { return s.below })
		}
	}
}

// place gives each slot its height, near the middle of its neighbours and clear of the slots in its column.
func (l *layout) place() {
	for _, column := range l.columns {
		y := 0.0
		for _, s := range column {
			l.slots[s].y = y
			y += l.slots[s].height() + rowGap
		}
		for _, s := range column {
			l.slots[s].y -= (y - rowGap) / 2
		}
	}
	for round := range 6 {
		for i := range l.columns {
			column := l.columns[i]
			if round%2 == 1 {
				column = l.columns[len(l.columns)-1-i]
			}
			l.settle(column, round%2 == 0)
		}
	}
	top, bottom := 0.0, 0.0
	for i, s := range l.slots {
		if i == 0 || s.y < top {
			top = s.y
		}
		if i == 0 || s.y+s.height() > bottom {
			bottom = s.y + s.height()
		}
	}
	for i := range l.slots {
		l.slots[i].y += margin - top
	}
	l.height = bottom - top + 2*margin
	l.width = float64(len(l.columns)*(nodeWidth+columnGap)-columnGap) + 2*margin
}

// settle moves a column's slots to the middle of their neighbours, and then apart where they overlap.
func (l *layout) settle(column []int, forth bool) {
	moved := 0.0
	for _, s := range column {
		near := l.slots[s].below
		if forth {
			near = l.slots[s].above
		}
		if len(near) == 0 {
			continue
		}
		middle := 0.0
		for _, n := range near {
			middle += (l.slots[n].y + l.slots[n].height()/2) / float64(len(near))
		}
		l.slots[s].y = middle - l.slots[s].height()/2
	}
	wished := make([]float64, len(column))
	for i, s := range column {
		wished[i] = l.slots[s].y
		if i > 0 {
			before := l.slots[column[i-1]]
			l.slots[s].y = max(l.slots[s].y, before.y+before.height()+rowGap)
		}
		moved += l.slots[s].y - wished[i]
	}
	for _, s := range column {
		l.slots[s].y -= moved / float64(len(column)) // The whole column shares the distance by which some slots were pushed down.
	}
}
