package draw

// Tree draws each node below each of its parents, but the children of a node only once.
func Tree(nodes []Node) []Line {
	t := &tree{nodes: nodes, children: children(nodes), drawn: make([]bool, len(nodes))}
	for i, node := range nodes {
		if len(node.Parents) == 0 {
			t.draw(i, "", "")
		}
	}
	return t.lines
}

type tree struct {
	nodes    []Node
	children [][]int
	drawn    []bool
	lines    []Line
}

// draw draws a node and the nodes below it. stem is the text before the node, and margin is the text before its children.
func (t *tree) draw(node int, stem, margin string) {
	below := margin + pick(len(t.children[node]) > 0 && !t.drawn[node], "│", "")
	t.lines = append(t.lines, Line{Node: node, Cell: cell(t.nodes[node], stem, "").Over(below), Repeated: t.drawn[node]})
	if t.drawn[node] {
		return
	}
	t.drawn[node] = true
	for i, child := range t.children[node] {
		if i < len(t.children[node])-1 {
			t.draw(child, margin+"├─ ", margin+"│  ")
		} else {
			t.draw(child, margin+"└─ ", margin+"   ")
		}
	}
}
