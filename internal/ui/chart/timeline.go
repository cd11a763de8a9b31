package chart

import (
	"fmt"
	"html/template"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Bar is something that lasted, in a row of a timeline.
type Bar struct {
	// Row orders the rows. Bars of the same number stand in the same row, which has the Name and Href of the first
	// bar.
	Row         int
	Name, Href  string
	From, Until time.Time
	// Class is the bar's CSS class, and Said the text that is shown on hovering.
	Class, Said string
	// Thin draws the bar thinner than the others.
	Thin bool
}

// The measures of a timeline.
const (
	labels    = 170.0
	lineWidth = 900.0
	rowHeight = 26.0
	axis      = 24.0
)

// Timeline returns bars over time as SVG.
func Timeline(bars []Bar, label string) template.HTML {
	if len(bars) == 0 {
		return ""
	}
	first, last := bars[0].From, bars[0].Until
	rows := []int{}
	names := map[int]Bar{}
	for _, bar := range bars {
		if bar.From.Before(first) {
			first = bar.From
		}
		if bar.Until.After(last) {
			last = bar.Until
		}
		if _, known := names[bar.Row]; !known {
			names[bar.Row] = bar
			rows = append(rows, bar.Row)
		}
	}
	slices.Sort(rows)
	long := max(last.Sub(first), time.Millisecond)
	x := func(t time.Time) float64 { return labels + t.Sub(first).Seconds()/long.Seconds()*(lineWidth-labels-12) }
	tall := axis + float64(len(rows))*rowHeight + 6

	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="timeline" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" role="group" aria-label="%s">`,
		lineWidth, tall, lineWidth, tall, template.HTMLEscapeString(label))
	for at := time.Duration(0); at <= long; at += tick(long) {
		left, anchor := x(first.Add(at)), "middle"
		if lineWidth-left < 40 {
			anchor = "end"
		}
		fmt.Fprintf(&b, `<path class="grid" d="M%.1f %.0fV%.0f"/><text class="tick" text-anchor="%s" x="%.1f" y="14">+%s</text>`,
			left, axis-4, tall, anchor, left, brief(at))
	}
	for i, row := range rows {
		y := axis + float64(i)*rowHeight
		name := names[row]
		fmt.Fprintf(&b, `<a href="%s"><title>%s</title><text class="name" x="4" y="%.1f">%s</text></a>`,
			template.HTMLEscapeString(name.Href), template.HTMLEscapeString(name.Name), y+17, template.HTMLEscapeString(shorten(name.Name)))
		for _, bar := range bars {
			if bar.Row != row {
				continue
			}
			tallness, from := 14.0, x(bar.From)
			if bar.Thin {
				tallness = 4
			}
			fmt.Fprintf(&b, `<rect class="stretch %s" x="%.1f" y="%.1f" width="%.1f" height="%.0f" rx="2"><title>%s</title></rect>`,
				template.HTMLEscapeString(bar.Class), from, y+rowHeight/2-tallness/2, max(x(bar.Until)-from, 2), tallness,
				template.HTMLEscapeString(fmt.Sprintf("%s: %s, %s", bar.Name, bar.Said, brief(bar.Until.Sub(bar.From)))))
		}
	}
	b.WriteString(`</svg>`)
	return template.HTML(b.String()) // All text in it is escaped.
}

// marks are the possible distances between the marks on the axis.
var marks = []time.Duration{
	1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, // milliseconds
	60_000, 120_000, 300_000, 600_000, 900_000, 1_800_000, 3_600_000, 7_200_000, 10_800_000, 21_600_000, 43_200_000,
}

// tick returns the distance between the marks on the axis. It is a round time, chosen so that there are at most 7
// marks.
func tick(long time.Duration) time.Duration {
	for _, mark := range marks {
		if long/(mark*time.Millisecond) < 7 {
			return mark * time.Millisecond
		}
	}
	return (long/(7*day) + 1) * day
}

const day = 24 * time.Hour

func brief(d time.Duration) string {
	switch {
	case d < time.Second:
		return d.Round(time.Millisecond).String()
	case d < time.Minute:
		return d.Round(100 * time.Millisecond).String()
	case d < 48*time.Hour:
		text := d.Round(time.Second).String()
		if strings.HasSuffix(text, "m0s") {
			text = strings.TrimSuffix(text, "0s")
		}
		if strings.HasSuffix(text, "h0m") {
			text = strings.TrimSuffix(text, "0m")
		}
		return text
	}
	return fmt.Sprintf("%.1fd", d.Hours()/24)
}

func shorten(name string) string {
	const most = 22
	if utf8.RuneCountInString(name) <= most {
		return name
	}
	return string([]rune(name)[:most-1]) + "…"
}
