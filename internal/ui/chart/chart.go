// Package chart draws series over time as SVG. The figures stand beside each drawing as a table, for readers who
// cannot see the drawing or want the exact figures.
package chart

import (
	"fmt"
	"html/template"
	"math"
	"strings"
	"time"
)

// Series is one line or one layer of a chart.
type Series struct {
	Name string
	// Class is the CSS class of the series.
	Class string
	// Values are the figures of the series, one for each time. NaN is a gap.
	Values []float64
}

// Chart is a drawing of series over the same times.
type Chart struct {
	Title  string
	Times  []time.Time
	Series []Series
	// Stacked draws bars on one another instead of lines.
	Stacked bool
	// Say writes a figure with its unit.
	Say func(v float64) string
	// Empty is the text that is shown in place of a chart without data.
	Empty string
}

// The measures of a drawing.
const (
	width  = 440.0
	height = 150.0
	left   = 66.0
	right  = 8.0
	top    = 8.0
	bottom = 22.0
)

// HasData says whether a figure is not zero.
func (c Chart) HasData() bool {
	for _, s := range c.Series {
		for _, v := range s.Values {
			if v != 0 && !math.IsNaN(v) {
				return true
			}
		}
	}
	return false
}

// Layout is the time format of the axis: hours, or days in a long period.
func (c Chart) layout() string {
	if n := len(c.Times); n > 1 && c.Times[n-1].Sub(c.Times[0]) > 36*time.Hour {
		return "Jan 2"
	}
	return "15:04"
}

// highest returns the top of the axis: a round number above all values.
func (c Chart) highest() float64 {
	most := 0.0
	for i := range c.Times {
		sum := 0.0
		for _, s := range c.Series {
			switch v := s.Values[i]; {
			case math.IsNaN(v):
			case c.Stacked:
				sum += v
			default:
				sum = max(sum, v)
			}
		}
		most = max(most, sum)
	}
	if most <= 0 || math.IsInf(most, 0) {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(most)))
	for _, step := range []float64{1, 2, 2.5, 5, 10} {
		if power*step >= most {
			return power * step
		}
	}
	return power * 10
}

// SVG returns the drawing.
func (c Chart) SVG() template.HTML {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="chart" viewBox="0 0 %.0f %.0f" role="img" aria-label="%s">`, width, height, template.HTMLEscapeString(c.summary()))
	highest := c.highest()
	base := height - bottom
	for _, part := range []float64{0, 0.5, 1} {
		y := base - part*(base-top)
		fmt.Fprintf(&b, `<path class="grid" d="M%.0f %.1fH%.0f"/><text class="scale" x="%.0f" y="%.1f">%s</text>`,
			left, y, width-right, left-6, y+4, template.HTMLEscapeString(c.say(highest*part)))
	}
	n := len(c.Times)
	at := func(i int) float64 { return left + (float64(i)+0.5)*(width-left-right)/float64(max(n, 1)) }
	for _, i := range ticks(n) {
		fmt.Fprintf(&b, `<text class="tick" x="%.1f" y="%.0f">%s</text>`, at(i), height-6, c.Times[i].UTC().Format(c.layout()))
	}
	if c.Stacked {
		c.bars(&b, highest, at)
	} else {
		c.lines(&b, highest, at)
	}
	b.WriteString(`</svg>`)
	return template.HTML(b.String()) // All text in it is escaped.
}

// ticks returns the labelled places on the axis of time.
func ticks(n int) []int {
	switch {
	case n == 0:
		return nil
	case n < 4:
		return []int{0}
	}
	return []int{n / 8, n / 2, n - 1 - n/8}
}

func (c Chart) bars(b *strings.Builder, highest float64, at func(int) float64) {
	base := height - bottom
	wide := max((width-left-right)/float64(max(len(c.Times), 1))-1, 0.8)
	for i := range c.Times {
		y := base
		for _, s := range c.Series {
			h := s.Values[i] / highest * (base - top)
			if !(h > 0) {
				continue
			}
			y -= h
			fmt.Fprintf(b, `<rect class="%s" x="%.1f" y="%.1f" width="%.1f" height="%.1f"/>`, s.Class, at(i)-wide/2, y, wide, h)
		}
	}
}

func (c Chart) lines(b *strings.Builder, highest float64, at func(int) float64) {
	base := height - bottom
	for n, s := range c.Series {
		var line strings.Builder
		for _, run := range runs(s.Values) {
			var part strings.Builder
			for i := run[0]; i < run[1]; i++ {
				letter := "L"
				if i == run[0] {
					letter = "M"
				}
				fmt.Fprintf(&part, "%s%.1f %.1f", letter, at(i), base-s.Values[i]/highest*(base-top))
			}
			first, last := at(run[0]), at(run[1]-1)
			if run[1]-run[0] == 1 {
				fmt.Fprintf(b, `<circle class="%s" cx="%.1f" cy="%.1f" r="2.5"/>`, s.Class, first, base-s.Values[run[0]]/highest*(base-top))
			} else if n == 0 {
				fmt.Fprintf(b, `<path class="area %s" d="%sL%.1f %.1fL%.1f %.1fZ"/>`, s.Class, part.String(), last, base, first, base)
			}
			line.WriteString(part.String())
		}
		if line.Len() > 0 {
			fmt.Fprintf(b, `<path class="line %s" d="%s"/>`, s.Class, line.String())
		}
	}
}

// runs returns the stretches of figures without a gap, as from and to.
func runs(values []float64) (found [][2]int) {
	for i, v := range values {
		switch n := len(found); {
		case math.IsNaN(v):
		case n > 0 && found[n-1][1] == i:
			found[n-1][1]++
		default:
			found = append(found, [2]int{i, i + 1})
		}
	}
	return found
}

func (c Chart) say(v float64) string {
	if math.IsNaN(v) {
		return "–"
	}
	if c.Say != nil {
		return c.Say(v)
	}
	return Figure(v)
}

// Figure writes a number in short form: 950, 1.2k, 3M.
func Figure(v float64) string {
	for _, unit := range []struct {
		size float64
		name string
	}{{1e9, "G"}, {1e6, "M"}, {1e3, "k"}} {
		if math.Abs(v) >= unit.size {
			return strings.TrimSuffix(fmt.Sprintf("%.1f", v/unit.size), ".0") + unit.name
		}
	}
	return strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.2f", v), "0"), ".")
}

// summary describes the chart in a sentence.
func (c Chart) summary() string {
	parts := []string{c.Title}
	for _, s := range c.Series {
		most, last := 0.0, 0.0
		for _, v := range s.Values {
			if !math.IsNaN(v) {
				most, last = max(most, v), v
			}
		}
		parts = append(parts, fmt.Sprintf("%s: now %s, at most %s", s.Name, c.say(last), c.say(most)))
	}
	return strings.Join(parts, ". ")
}

// Row is a line of the table of figures.
type Row struct {
	At      time.Time
	Figures []string
}

// Rows returns the figures of the last 24 times, newest first.
func (c Chart) Rows() (rows []Row) {
	for i := len(c.Times) - 1; i >= 0 && len(rows) < 24; i-- {
		row := Row{At: c.Times[i]}
		for _, s := range c.Series {
			row.Figures = append(row.Figures, c.say(s.Values[i]))
		}
		rows = append(rows, row)
	}
	return rows
}
