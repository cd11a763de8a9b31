package draw_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/draw"
	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
)

// graph returns nodes written as "name parent parent …", and their names.
func graph(lines ...string) (nodes []draw.Node, names []string) {
	for _, line := range lines {
		words := strings.Fields(line)
		node := draw.Node{Symbol: "●", Color: term.Green}
		for _, parent := range words[1:] {
			node.Parents = append(node.Parents, slices.Index(names, parent))
		}
		nodes, names = append(nodes, node), append(names, words[0])
	}
	return nodes, names
}

func text(lines []draw.Line, names []string) string {
	var b strings.Builder
	for _, line := range lines {
		row := line.Cell.String()
		if line.Node != draw.None {
			row += " " + names[line.Node]
		}
		if line.Repeated {
			row += " ^"
		}
		b.WriteString(strings.TrimRight(row, " ") + "\n")
	}
	return b.String()
}

func TestLanes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		graph []string
		want  string
	}{
		{"nothing", nil, ""},
		{"one", []string{"a"}, `
● a
`},
		{"a chain has no line between its nodes", []string{"a", "b a", "c b"}, `
● a
● b
● c
`},
		{"nodes that are not connected do not look it", []string{"a", "b", "c"}, `
● a

● b

● c
`},
		{"a diamond", []string{"reserve", "charge reserve", "pack reserve", "ship charge pack"}, `
● reserve
├─╮
● │ charge
│ ● pack
├─╯
● ship
`},
		{"a fan", []string{"a", "b a", "c a", "d a", "e b c d"}, `
● a
├─┬─╮
● │ │ b
│ ● │ c
│ │ ● d
├─┴─╯
● e
`},
		{"a branch is drawn to its end first", []string{"a", "b1 a", "c1 a", "b2 b1", "c2 c1", "d b2 c2"}, `
● a
├─╮
● │ b1
● │ b2
│ ● c1
│ ● c2
├─╯
● d
`},
		{"an edge that leaves out a level", []string{"a", "b a", "c a b"}, `
● a
├─╮
● │ b
├─╯
● c
`},
		{"a lane that is crossed stays whole", []string{"a", "b a", "c a", "d a", "e b d", "f c e"}, `
● a
├─┬─╮
● │ │ b
│ ● │ c
│ │ ● d
├─│─╯
● │ e
├─╯
● f
`},
		{"several roots", []string{"a", "b", "c a b"}, `
● a
│ ● b
├─╯
● c
`},
		{"a leaf leaves its lane to the next branch", []string{"a", "b a", "c a", "d c", "e c"}, `
● a
├─╮
● │ b
  ● c
  ├─╮
  ● │ d
    ● e
`},
		{"two diamonds that are not connected", []string{"a", "b a", "c a", "d b c", "e", "f e", "g e", "h f g"}, `
● a
├─╮
● │ b
│ ● c
├─╯
● d

● e
├─╮
● │ f
│ ● g
├─╯
● h
`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			nodes, names := graph(test.graph...)
			require.Equal(t, strings.TrimPrefix(test.want, "\n"), text(draw.Lanes(nodes), names))
		})
	}
}

func TestTree(t *testing.T) {
	t.Parallel()
	nodes, names := graph("a", "b a", "c a", "d b c", "e d", "f")
	require.Equal(t, strings.TrimPrefix(`
● a
├─ ● b
│  └─ ● d
│     └─ ● e
└─ ● c
   └─ ● d ^
● f
`, "\n"), text(draw.Tree(nodes), names))
}

func TestLevels(t *testing.T) {
	t.Parallel()
	nodes, names := graph("a", "b a", "c a", "d b c", "e a d", "f")
	require.Equal(t, strings.TrimPrefix(`
● a
● f

● b
● c

● d

● e
`, "\n"), text(draw.Levels(nodes), names))
}

// In every graph each node is drawn once and below its parents, and in a tree once for each edge.
func TestDrawings_HoldEveryNodeInOrder(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		nodes := make([]draw.Node, random.IntN(30))
		edges := 0
		for i := range nodes {
			nodes[i].Symbol = "●"
			for parent := range i {
				if random.IntN(6) == 0 {
					nodes[i].Parents = append(nodes[i].Parents, parent)
					edges++
				}
			}
		}
		for name, lines := range map[string][]draw.Line{"lanes": draw.Lanes(nodes), "levels": draw.Levels(nodes)} {
			place := map[int]int{}
			for at, line := range lines {
				require.Equal(t, line.Node != draw.None, strings.Contains(line.Cell.String(), "●"), name)
				if line.Node != draw.None {
					require.NotContains(t, place, line.Node, name)
					place[line.Node] = at
				}
			}
			require.Len(t, place, len(nodes), name)
			for i, node := range nodes {
				for _, parent := range node.Parents {
					require.Less(t, place[parent], place[i], fmt.Sprint(name, nodes))
				}
			}
		}
		roots := 0
		for _, node := range nodes {
			if len(node.Parents) == 0 {
				roots++
			}
		}
		if len(nodes) > 0 {
			require.GreaterOrEqual(t, len(draw.Tree(nodes)), len(nodes))
			require.Len(t, draw.Tree(nodes), roots+edges)
		}
	}
}

// edgesOf reads a drawing from top to bottom: the parents of a node are the nodes from which a line comes down to it.
func edgesOf(lines []draw.Line) map[int][]int {
	parents := map[int][]int{}
	var lanes [][]int // the nodes that each lane comes from
	for _, line := range lines {
		row := []rune(line.Cell.String())
		var joined []int
		for lane := range max((len(row)+1)/2, len(lanes)) {
			if lane == len(lanes) {
				lanes = append(lanes, nil)
			}
			sign := ' '
			if 2*lane < len(row) {
				sign = row[2*lane]
			}
			switch sign {
			case '●':
				parents[line.Node], lanes[lane] = lanes[lane], []int{line.Node}
			case ' ', '─':
				lanes[lane] = nil
			case '├', '┴', '╯', '┬', '╮':
				joined = append(joined, lane)
			}
		}
		for _, lane := range joined[min(1, len(joined)):] {
			switch row[2*lane] {
			case '┴', '╯':
				lanes[joined[0]] = append(slices.Clone(lanes[joined[0]]), lanes[lane]...)
				lanes[lane] = nil
			case '┬', '╮':
				lanes[lane] = lanes[joined[0]]
			}
		}
	}
	return parents
}

func TestLanes_CanBeReadBack(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		nodes := make([]draw.Node, random.IntN(14))
		for i := range nodes {
			nodes[i].Symbol = "●"
			for parent := range i {
				if random.IntN(4) == 0 {
					nodes[i].Parents = append(nodes[i].Parents, parent)
				}
			}
		}
		lines := draw.Lanes(nodes)
		have := edgesOf(lines)
		for i, node := range nodes {
			slices.Sort(have[i])
			names := make([]string, len(nodes))
			for n := range names {
				names[n] = fmt.Sprint(n)
			}
			require.ElementsMatch(t, node.Parents, have[i], "node %d of\n%s", i, text(lines, names))
		}
	}
}
