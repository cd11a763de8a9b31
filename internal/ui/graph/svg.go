package graph

import (
	"fmt"
	"html/template"
	"slices"
	"strings"
	"unicode/utf8"
)

// titleLength is how many characters of a title have room.
const titleLength = 18

// shrinks is the largest width of a graph that a desktop shows a little smaller instead of cutting it: five columns.
const shrinks = 1300.0

// Draw returns the graph as an SVG element. Its label describes it to screen readers.
func Draw(nodes []Node, label string) template.HTML {
	if len(nodes) == 0 {
		return ""
	}
	l := arrange(nodes)
	var b strings.Builder
	class := "graph"
	if l.width <= shrinks {
		class = "graph fit"
	}
	fmt.Fprintf(&b, `<svg class="%s" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" role="group" aria-label="%s">`,
		class, l.width, l.height, l.width, l.height, escape(label))
	x := l.lefts()
	edges := make([][2]int, 0, len(l.ways))
	for edge := range l.ways {
		edges = append(edges, edge)
	}
	slices.SortFunc(edges, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	for _, edge := range edges {
		class := nodes[edge[0]].Class
		if nodes[edge[1]].Undo {
			class = "undo " + nodes[edge[1]].Class
		}
		title := ""
		if on := nodes[edge[1]].On[edge[0]]; on != "" {
			class = "on-" + on + " " + class
			title = fmt.Sprintf(`<title>%s, if %s has %s</title>`, escape(nodes[edge[1]].Title), escape(nodes[edge[0]].Title), escape(on))
		}
		fmt.Fprintf(&b, `<path class="edge %s" d="%s">%s</path>`, escape(class), l.curve(l.ways[edge], x), title)
	}
	for i, n := range nodes {
		draw(&b, n, x[l.of[i]], l.slots[l.of[i]].y)
	}
	b.WriteString(`</svg>`)
	return template.HTML(b.String()) // All text in it is escaped.
}

// lefts returns the left end of each slot.
func (l *layout) lefts() []float64 {
	x := make([]float64, len(l.slots))
	for i, column := range l.columns {
		for _, s := range column {
			x[s] = float64(margin + i*(nodeWidth+columnGap))
		}
	}
	return x
}

// curve returns the path of an edge: from the right end of its parent, through the columns between, to its child.
func (l *layout) curve(way []int, x []float64) string {
	var b strings.Builder
	middle := func(s int) float64 { return l.slots[s].y + l.slots[s].height()/2 }
	fmt.Fprintf(&b, "M%.1f %.1f", x[way[0]]+nodeWidth, middle(way[0]))
	for i := 1; i < len(way); i++ {
		from, to := x[way[i-1]]+nodeWidth, x[way[i]]
		half := (from + to) / 2
		fmt.Fprintf(&b, "C%.1f %.1f %.1f %.1f %.1f %.1f", half, middle(way[i-1]), half, middle(way[i]), to, middle(way[i]))
		if i < len(way)-1 {
			fmt.Fprintf(&b, "H%.1f", to+nodeWidth)
		}
	}
	return b.String()
}

func draw(b *strings.Builder, n Node, x, y float64) {
	kind := "node"
	if n.Undo {
		kind = "node undo"
	}
	fmt.Fprintf(b, `<g class="%s %s" id="%s">`, kind, escape(n.Class), escape(n.ID))
	if n.Href != "" {
		fmt.Fprintf(b, `<a href="%s" aria-label="%s">`, escape(n.Href), escape(n.Whole))
	}
	fmt.Fprintf(b, `<title>%s</title>`, escape(n.Whole))
	if n.Stack {
		fmt.Fprintf(b, `<rect class="stack" x="%.1f" y="%.1f" width="%d" height="%d" rx="8"/>`, x+4, y+4, nodeWidth, nodeHeight)
	}
	fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%d" height="%d" rx="8"/>`, x, y, nodeWidth, nodeHeight)
	fmt.Fprintf(b, `<use href="#i-%s" x="%.1f" y="%.1f" width="16" height="16"/>`, escape(n.Icon), x+10, y+15)
	fmt.Fprintf(b, `<text class="title" x="%.1f" y="%.1f">%s</text>`, x+34, y+20, escape(shorten(n.Title)))
	fmt.Fprintf(b, `<text class="below" x="%.1f" y="%.1f">%s</text>`, x+34, y+36, escape(cut(n.Below, titleLength+5)))
	if n.First {
		fmt.Fprintf(b, `<circle class="first" cx="%.1f" cy="%.1f" r="8"/><text class="first" x="%.1f" y="%.1f" text-anchor="middle">1</text>`, x-3, y+nodeHeight/2, x-3, y+nodeHeight/2+4)
	}
	if n.Href != "" {
		b.WriteString(`</a>`)
	}
	b.WriteString(`</g>`)
}

// Legend explains the marks of a graph: edges that wait for a failure or for any end, and nodes that begin with the first of their
// parents. It is empty if the graph has no marks.
func Legend(nodes []Node) template.HTML {
	var failed, ended, first bool
	for _, n := range nodes {
		first = first || n.First
		for _, on := range n.On {
			failed, ended = failed || on == "failed", ended || on == "ended"
		}
	}
	var b strings.Builder
	line := func(shown bool, mark, text string) {
		if shown {
			fmt.Fprintf(&b, `<span><svg class="graph key" width="34" height="20" viewBox="0 0 34 20" aria-hidden="true">%s</svg> %s</span> `, mark, text)
		}
	}
	line(failed || ended, `<path class="edge" d="M1 10H33"/>`, "after success")
	line(failed, `<path class="edge on-failed" d="M1 10H33"/>`, "after a failure")
	line(ended, `<path class="edge on-ended" d="M1 10H33"/>`, "after any end")
	line(first, `<circle class="first" cx="17" cy="10" r="9"/><text class="first" x="17" y="14" text-anchor="middle">1</text>`, "begins with the first of the steps before it")
	if b.Len() == 0 {
		return ""
	}
	return template.HTML(`<p class="aside legendline graphlegend">` + b.String() + `</p>`)
}

// shorten keeps the beginning and the end of a long title: names often differ at the end.
func shorten(title string) string {
	if utf8.RuneCountInString(title) <= titleLength {
		return title
	}
	runes := []rune(title)
	const tail = 6
	return string(runes[:titleLength-tail-1]) + "…" + string(runes[len(runes)-tail:])
}

func cut(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most-1]) + "…"
}

func escape(text string) string { return template.HTMLEscapeString(text) }
