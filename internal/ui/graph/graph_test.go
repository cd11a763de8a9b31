package graph

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// nodes makes nodes that come after the nodes at the given places.
func nodes(parents ...[]int) []Node {
	made := make([]Node, len(parents))
	for i, p := range parents {
		made[i] = Node{ID: fmt.Sprintf("n%d", i+1), Title: fmt.Sprintf("step %d", i+1), Class: "done", Icon: "check", Parents: p}
	}
	return made
}

// elements parses a drawing, which fails the test if it is not well-formed, and counts its elements.
func elements(t *testing.T, svg string) map[string]int {
	t.Helper()
	decoder := xml.NewDecoder(strings.NewReader(svg))
	found := map[string]int{}
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return found
		}
		require.NoError(t, err, svg)
		if start, ok := token.(xml.StartElement); ok {
			found[start.Name.Local]++
		}
	}
}

func TestColumns_AreTheLongestWayFromARoot(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		nodes []Node
		want  []int
	}{
		"one":             {nodes(nil), []int{0}},
		"a diamond":       {nodes(nil, []int{0}, []int{0}, []int{1, 2}), []int{0, 1, 1, 2}},
		"a shortcut":      {nodes(nil, []int{0}, []int{1}, []int{0, 2}), []int{0, 1, 2, 3}},
		"parents after":   {nodes([]int{2}, nil, []int{1}), []int{2, 0, 1}},
		"separate graphs": {nodes(nil, nil, []int{1}), []int{0, 0, 1}},
	} {
		require.Equal(t, test.want, columns(test.nodes), name)
	}
}

func TestArrange_OverlapsNothingAndStaysInTheDrawing(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		parents := make([][]int, 1+r.IntN(40))
		for i := 1; i < len(parents); i++ {
			parents[i] = r.Perm(i)[:r.IntN(min(i, 3)+1)]
		}
		drawn := nodes(parents...)
		l := arrange(drawn)
		for _, column := range l.columns {
			for i, s := range column {
				require.GreaterOrEqual(t, l.slots[s].y, float64(margin)-0.001)
				require.LessOrEqual(t, l.slots[s].y+l.slots[s].height(), l.height-margin+0.001)
				if i > 0 {
					before := l.slots[column[i-1]]
					require.GreaterOrEqual(t, l.slots[s].y, before.y+before.height()+rowGap-0.001, "nothing overlaps")
				}
			}
		}
		x, levels := l.lefts(), columns(drawn)
		for child, n := range drawn {
			for _, parent := range n.Parents {
				way := l.ways[[2]int{parent, child}]
				require.Len(t, way, levels[child]-levels[parent]+1, "an edge has a place in each column that it passes")
				require.Equal(t, l.of[parent], way[0])
				require.Equal(t, l.of[child], way[len(way)-1])
				for i := 1; i < len(way); i++ {
					require.Greater(t, x[way[i]], x[way[i-1]], "from left to right")
				}
			}
		}
	}
}

func TestArrange_CrossesNoEdgesThatNeedNotCross(t *testing.T) {
	t.Parallel()
	// There are two chains. In the second column the child of the lower chain comes first.
	l := arrange(nodes(nil, nil, []int{1}, []int{0}))
	y := func(node int) float64 { return l.slots[l.of[node]].y }
	require.Equal(t, y(0) < y(1), y(3) < y(2))
	require.InDelta(t, y(0), y(3), 0.001, "the nodes of a chain are on one line")
	require.InDelta(t, y(1), y(2), 0.001)
}

func TestDraw_HasANodeForEachAndACurveForEachEdge(t *testing.T) {
	t.Parallel()
	require.Empty(t, Draw(nil, "nothing"))
	drawn := nodes(nil, []int{0}, []int{0}, []int{0, 1, 2})
	drawn[1].Stack, drawn[2].Href = true, "/ui/tasks/x"
	svg := string(Draw(drawn, "a graph"))
	found := elements(t, svg)
	require.Equal(t, 4, found["g"])
	require.Equal(t, 5, found["path"])
	require.Equal(t, 5, found["rect"], "a stack has an extra rectangle")
	require.Equal(t, 1, found["a"], "a node without a target is no link")
	require.Equal(t, 4, found["title"])
	require.Contains(t, svg, `role="group" aria-label="a graph"`)
	require.Equal(t, svg, string(Draw(drawn, "a graph")), "the same each time, so that a page that is read again shows no change")
}

func TestDraw_EscapesText(t *testing.T) {
	t.Parallel()
	const hostile = `"><script>alert(1)</script>&'`
	svg := string(Draw([]Node{{ID: hostile, Title: hostile, Below: hostile, Whole: hostile, Class: hostile, Icon: hostile, Href: hostile}}, hostile))
	require.Zero(t, elements(t, svg)["script"])
}

func TestShorten_KeepsBothEndsOfATitle(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]string{
		"":                                 "",
		"eighteen_letters_x":               "eighteen_letters_x",
		"collect_the_figures_of_country_3": "collect_the…ntry_3",
		strings.Repeat("日", 12) + strings.Repeat("本", 8): strings.Repeat("日", 11) + "…" + strings.Repeat("本", 6),
	} {
		require.Equal(t, want, shorten(title))
	}
	require.Equal(t, "abc", cut("abc", 3))
	require.Equal(t, "ab…", cut("abcd", 3))
}
