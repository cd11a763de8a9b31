package propertytest

import (
	"math/rand/v2"
	"slices"
)

// graph is a directed graph of the nodes 0 to nodes-1.
type graph struct {
	nodes    int
	edges    [][2]int // from, to
	parents  [][]int  // of each node: indexes of edges
	children [][]int
}

func newGraph(nodes int, edges [][2]int) *graph {
	g := &graph{nodes: nodes, edges: edges, parents: make([][]int, nodes), children: make([][]int, nodes)}
	for i, e := range edges {
		g.children[e[0]] = append(g.children[e[0]], i)
		g.parents[e[1]] = append(g.parents[e[1]], i)
	}
	return g
}

// randomDAG returns a graph without cycles of at most size nodes, in one of several shapes. Its nodes are numbered at random,
// since step numbers need not follow the order of execution.
func randomDAG(r *rand.Rand, size int) *graph {
	nodes := 1 + r.IntN(size)
	edges := map[[2]int]bool{}
	switch r.IntN(6) {
	case 0: // sparse: unconnected parts, several roots
		for range nodes / 2 {
			addForward(r, edges, nodes)
		}
	case 1: // dense
		for range min(nodes*8, nodes*nodes/3) {
			addForward(r, edges, nodes)
		}
	case 2: // a chain, sometimes with short cuts
		for i := range nodes - 1 {
			edges[[2]int{i, i + 1}] = true
		}
		for range r.IntN(5) {
			addForward(r, edges, nodes)
		}
	case 3: // a ladder of diamonds
		for i := 0; i+3 < nodes; i += 3 {
			for _, side := range []int{i + 1, i + 2} {
				edges[[2]int{i, side}] = true
				edges[[2]int{side, i + 3}] = true
			}
		}
	case 4: // layers, each step with some parents in the layer before
		width := 1 + r.IntN(10)
		for i := width; i < nodes; i++ {
			for range 1 + r.IntN(4) {
				edges[[2]int{(i/width-1)*width + r.IntN(width), i}] = true
			}
		}
	default: // a fan out and in
		for i := 1; i < nodes-1; i++ {
			edges[[2]int{0, i}] = true
			edges[[2]int{i, nodes - 1}] = true
		}
	}
	return relabel(r, nodes, edges)
}

// randomGraph is like randomDAG, but in every other graph an edge or two are reversed.
func randomGraph(r *rand.Rand, size int) *graph {
	g := randomDAG(r, size)
	edges := slices.Clone(g.edges)
	for range r.IntN(3) {
		e := [2]int{r.IntN(g.nodes), r.IntN(g.nodes)}
		if e[0] != e[1] && !slices.Contains(edges, e) {
			edges = append(edges, e)
		}
	}
	return newGraph(g.nodes, edges)
}

func addForward(r *rand.Rand, edges map[[2]int]bool, nodes int) {
	a, b := r.IntN(nodes), r.IntN(nodes)
	if a != b {
		edges[[2]int{min(a, b), max(a, b)}] = true
	}
}

func relabel(r *rand.Rand, nodes int, edges map[[2]int]bool) *graph {
	label := make([]int, nodes)
	for i := range label {
		label[i] = i
	}
	if r.IntN(2) == 0 {
		label = r.Perm(nodes)
	}
	list := make([][2]int, 0, len(edges))
	for e := range edges {
		list = append(list, [2]int{label[e[0]], label[e[1]]})
	}
	// Maps have no order, and a seed must give the same graph again.
	slices.SortFunc(list, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	return newGraph(nodes, list)
}

// levels returns the length of the longest path to each node from a node without parents.
func (g *graph) levels() []int {
	levels := make([]int, g.nodes)
	known := make([]bool, g.nodes)
	var visit func(n int) int
	visit = func(n int) int {
		if !known[n] {
			known[n] = true
			for _, e := range g.parents[n] {
				levels[n] = max(levels[n], visit(g.edges[e][0])+1)
			}
		}
		return levels[n]
	}
	for n := range g.nodes {
		visit(n)
	}
	return levels
}

// above returns the length of the shortest path to n from each node above it.
func (g *graph) above(n int) map[int]int {
	return walk(n, func(n int) (next []int) {
		for _, e := range g.parents[n] {
			next = append(next, g.edges[e][0])
		}
		return next
	})
}

// below returns the length of the shortest path from n to each node below it.
func (g *graph) below(n int) map[int]int {
	return walk(n, func(n int) (next []int) {
		for _, e := range g.children[n] {
			next = append(next, g.edges[e][1])
		}
		return next
	})
}

func walk(from int, next func(int) []int) map[int]int {
	distance := map[int]int{}
	for front, d := []int{from}, 1; len(front) > 0; d++ {
		var reached []int
		for _, n := range front {
			for _, m := range next(n) {
				if _, seen := distance[m]; !seen {
					distance[m] = d
					reached = append(reached, m)
				}
			}
		}
		front = reached
	}
	return distance
}

// minDepths returns the length of the shortest path to each node from a node without parents.
func (g *graph) minDepths() []int {
	depths := make([]int, g.nodes)
	for n := range depths {
		depths[n] = -1
	}
	for root := range g.nodes {
		if len(g.parents[root]) > 0 {
			continue
		}
		depths[root] = 0
		for n, d := range g.below(root) {
			if depths[n] < 0 || d < depths[n] {
				depths[n] = d
			}
		}
	}
	return depths
}

// hasCycle reports whether a node is below itself.
func (g *graph) hasCycle() bool {
	for n := range g.nodes {
		if _, round := g.below(n)[n]; round {
			return true
		}
	}
	return false
}

// inOrder returns the nodes of a graph without cycles, parents first.
func (g *graph) inOrder() []int {
	levels := g.levels()
	order := make([]int, g.nodes)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return levels[a] - levels[b] })
	return order
}
