package draw

import (
	"slices"
	"strings"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
)

// Lanes draws each node in a separate line and each edge as a lane. It draws a branch to its end before it begins the next
// branch, so that the picture stays narrow.
func Lanes(nodes []Node) []Line {
	l := &lanes{nodes: nodes, children: children(nodes), open: make([]int, len(nodes))}
	for i, node := range nodes {
		l.open[i] = len(node.Parents)
	}
	for {
		node := l.next()
		if node == None {
			return l.lines
		}
		l.draw(node)
	}
}

// lanes is an unfinished drawing.
type lanes struct {
	nodes    []Node
	children [][]int
	open     []int // how many parents of a node are not drawn yet; below 0 if the node itself is drawn
	targets  []int // the node that each lane leads to, or None if the lane is free
	lines    []Line
	ended    int // the lane that ended in the preceding line, or None
}

// next returns the next node to draw. It is the end of the leftmost lane that ends in a node whose parents are all drawn, or
// else the first remaining root.
func (l *lanes) next() int {
	for _, target := range l.targets {
		if target != None && l.open[target] == 0 {
			return target
		}
	}
	return slices.Index(l.open, 0)
}

func (l *lanes) draw(node int) {
	var incoming []int
	for lane, target := range l.targets {
		if target == node {
			incoming = append(incoming, lane)
		}
	}
	if len(incoming) == 0 {
		incoming = []int{l.free(0)}
		if len(l.lines) > 0 && incoming[0] == l.ended {
			l.row(nil, "", "") // An empty line keeps the two nodes from looking connected.
		}
		l.targets[incoming[0]] = node
	}
	at := incoming[0]
	if len(incoming) > 1 {
		l.row(incoming, "┴", "╯")
		for _, lane := range incoming[1:] {
			l.targets[lane] = None
		}
	}
	l.node(node, at)
	l.split(node, at)
}

// free takes and returns the first free lane, starting at lane `from`.
func (l *lanes) free(from int) int {
	for lane := from; lane < len(l.targets); lane++ {
		if l.targets[lane] == None {
			return lane
		}
	}
	l.targets = append(l.targets, None)
	return len(l.targets) - 1
}

// split gives each edge that leaves the node a lane. The first edge gets the node's own lane.
func (l *lanes) split(node, at int) {
	l.open[node] = -1
	l.targets[at], l.ended = None, at
	var outgoing []int
	for i, child := range l.children[node] {
		l.open[child]--
		lane := at
		if i > 0 {
			lane = l.free(at + 1)
		}
		l.targets[lane], l.ended = child, None
		outgoing = append(outgoing, lane)
	}
	if len(outgoing) < 2 {
		return
	}
	slices.Sort(outgoing)
	l.row(outgoing, "┬", "╮")
}

// node appends the line of a node.
func (l *lanes) node(node, at int) {
	var before, after, below strings.Builder
	for lane, target := range l.targets {
		goesOn := target != None && lane != at || lane == at && len(l.children[node]) > 0
		below.WriteString(pick(goesOn, "│ ", "  "))
		text := "  "
		switch {
		case lane == at:
			continue
		case target != None && lane < at:
			text = "│ "
		case target != None:
			text = " │"
		}
		if lane < at {
			before.WriteString(text)
		} else {
			after.WriteString(text)
		}
	}
	l.lines = append(l.lines, Line{
		Node: node,
		Cell: cell(l.nodes[node], before.String(), strings.TrimRight(after.String(), " ")).
			Over(strings.TrimRight(below.String(), " ")),
	})
}

// row appends a line in which the joined lanes meet at the first of them.
func (l *lanes) row(joined []int, middle, last string) {
	var b strings.Builder
	first, end := len(l.targets), -1
	if len(joined) > 0 {
		first, end = joined[0], joined[len(joined)-1]
	}
	for lane, target := range l.targets {
		if lane > 0 {
			b.WriteString(pick(lane > first && lane <= end, "─", " "))
		}
		switch {
		case lane == first:
			b.WriteString("├")
		case lane == end:
			b.WriteString(last)
		case slices.Contains(joined, lane):
			b.WriteString(middle)
		case target != None:
			b.WriteString("│")
		default:
			b.WriteString(pick(lane > first && lane < end, "─", " "))
		}
	}
	l.lines = append(l.lines, Line{Node: None, Cell: term.Drawing(strings.TrimRight(b.String(), " "), "", term.Plain, "")})
}

func pick(condition bool, yes, no string) string {
	if condition {
		return yes
	}
	return no
}
