package chart

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var noon = time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)

// minutes are times, the given number of minutes after noon.
func minutes(n int) []time.Time {
	times := make([]time.Time, n)
	for i := range times {
		times[i] = noon.Add(time.Duration(i) * time.Minute)
	}
	return times
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

func TestChart_AxisEndsAtARoundNumberAboveAll(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		value, want float64
	}{{0, 1}, {-3, 1}, {0.07, 0.1}, {1, 1}, {1.1, 2}, {2.2, 2.5}, {3, 5}, {7, 10}, {99, 100}, {101, 200}, {1e6, 1e6}, {math.NaN(), 1}, {math.Inf(1), 1}} {
		c := Chart{Times: minutes(1), Series: []Series{{Values: []float64{test.value}}}}
		require.InDelta(t, test.want, c.highest(), 1e-9, test.value)
	}
	two := []Series{{Values: []float64{3, 4}}, {Values: []float64{4, 0}}}
	require.InDelta(t, 5, Chart{Times: minutes(2), Series: two}.highest(), 1e-9, "the axis of lines fits the highest figure")
	require.InDelta(t, 10, Chart{Times: minutes(2), Series: two, Stacked: true}.highest(), 1e-9, "the axis of stacked bars fits their sum")
}

func TestChart_DrawsLinesBarsAndSinglePoints(t *testing.T) {
	t.Parallel()
	series := []Series{{Name: "started", Class: "c1", Values: []float64{1, 0, 3}}, {Name: "failed", Class: "c3", Values: []float64{0, 2, 1}}}
	lines := Chart{Title: "Tasks", Times: minutes(3), Series: series}
	found := elements(t, string(lines.SVG()))
	require.Equal(t, 3+1+2, found["path"], "the grid, an area below the first line, and two lines")
	require.Zero(t, found["rect"])
	bars := Chart{Title: "Tasks", Times: minutes(3), Series: series, Stacked: true}
	require.Equal(t, 4, elements(t, string(bars.SVG()))["rect"], "a zero has no bar")
	one := Chart{Title: "Tasks", Times: minutes(1), Series: []Series{{Class: "c1", Values: []float64{2}}}}
	require.Equal(t, 1, elements(t, string(one.SVG()))["circle"])
	elements(t, string(Chart{Title: "Tasks"}.SVG()))

	require.True(t, lines.HasData())
	require.False(t, Chart{Times: minutes(1), Series: []Series{{Values: []float64{0}}}}.HasData())
	require.Contains(t, string(lines.SVG()), `aria-label="Tasks. started: now 3, at most 3. failed: now 1, at most 2"`)
	require.NotContains(t, string(Chart{Title: `"><script>`, Series: []Series{{Name: "<b>"}}}.SVG()), "<script>")
}

func TestChart_NamesHoursAndWhereThereAreManyDays(t *testing.T) {
	t.Parallel()
	require.Contains(t, string(Chart{Times: minutes(60)}.SVG()), ">12:30<")
	days := []time.Time{noon, noon.AddDate(0, 0, 1), noon.AddDate(0, 0, 2), noon.AddDate(0, 0, 3)}
	require.Contains(t, string(Chart{Times: days}.SVG()), ">Feb 2<")
	require.Empty(t, ticks(0))
	require.Equal(t, []int{0}, ticks(3))
	require.Equal(t, []int{1, 4, 6}, ticks(8))
}

func TestChart_HasItsFiguresAsATableNewestFirst(t *testing.T) {
	t.Parallel()
	c := Chart{Times: minutes(30), Series: []Series{{Values: make([]float64, 30)}}, Say: func(v float64) string { return Figure(v) + " s" }}
	c.Series[0].Values[29] = 1500
	rows := c.Rows()
	require.Len(t, rows, 24)
	require.Equal(t, Row{At: noon.Add(29 * time.Minute), Figures: []string{"1.5k s"}}, rows[0])
}

func TestFigure_IsShort(t *testing.T) {
	t.Parallel()
	for v, want := range map[float64]string{0: "0", 0.25: "0.25", 0.1: "0.1", 950: "950", 1000: "1k", 1234: "1.2k", 3e6: "3M", 2.5e9: "2.5G", -1500: "-1.5k"} {
		require.Equal(t, want, Figure(v))
	}
}

func TestTimeline_HasARowForEachStepAndABarForEachAttempt(t *testing.T) {
	t.Parallel()
	require.Empty(t, Timeline(nil, "nothing"))
	bars := []Bar{
		{Row: 2, Name: "charge", Href: "/2", From: noon.Add(time.Minute), Until: noon.Add(2 * time.Minute), Class: "failed", Said: "failed"},
		{Row: 2, Name: "charge", Href: "/2", From: noon.Add(2 * time.Minute), Until: noon.Add(2 * time.Minute), Class: "warn", Thin: true},
		{Row: 1, Name: `<reserve> with a very long name`, Href: "/1", From: noon, Until: noon.Add(time.Minute), Class: "done", Said: "complete"},
	}
	svg := string(Timeline(bars, "attempts"))
	found := elements(t, svg)
	require.Equal(t, 2, found["a"])
	require.Equal(t, 3, found["rect"])
	require.Less(t, strings.Index(svg, `href="/1"`), strings.Index(svg, `href="/2"`), "the steps are in the order of their numbers")
	require.Contains(t, svg, "charge: failed, 1m<")
	require.Contains(t, svg, ">+2m<", "the axis ends with the last bar")
	elements(t, string(Timeline([]Bar{{From: noon, Until: noon}}, "an instant")))
}

func TestBrief_SaysADurationInItsUnit(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		0: "0s", 1500 * time.Microsecond: "2ms", 1234 * time.Millisecond: "1.2s", 5 * time.Minute: "5m", 90 * time.Second: "1m30s", time.Hour: "1h",
		90 * time.Minute: "1h30m", 72 * time.Hour: "3.0d",
	} {
		require.Equal(t, want, brief(d), d)
	}
}

func TestChart_LeavesGapsWhereThereIsNoFigure(t *testing.T) {
	t.Parallel()
	none := math.NaN()
	c := Chart{Title: "Mean", Times: minutes(7), Series: []Series{{Name: "of tasks", Values: []float64{none, 1, 2, none, 3, none, none}}}}
	drawn := string(c.SVG())
	found := elements(t, drawn)
	require.Equal(t, 3+1+1, found["path"], "the grid, an area below the run of two, and the line")
	require.Equal(t, 1, found["circle"], "a figure without neighbours")
	require.NotContains(t, drawn, "NaN")
	require.Contains(t, drawn, "of tasks: now 3, at most 3")
	require.InDelta(t, 5, c.highest(), 1e-9)
	require.Equal(t, "–", c.Rows()[0].Figures[0])
	c.Stacked = true
	require.NotContains(t, string(c.SVG()), "NaN")
	require.False(t, Chart{Times: minutes(1), Series: []Series{{Values: []float64{none}}}}.HasData())
}

func TestTimeline_MarksRoundTimes(t *testing.T) {
	t.Parallel()
	for long, want := range map[time.Duration]time.Duration{
		time.Millisecond: time.Millisecond, 5 * time.Millisecond: time.Millisecond, 90 * time.Second: 15 * time.Second,
		time.Hour: 10 * time.Minute, 40 * time.Hour: 6 * time.Hour, 80 * time.Hour: 12 * time.Hour, 400 * day: 58 * day,
	} {
		require.Equal(t, want, tick(long), long)
	}
	bars := []Bar{{Row: 1, Name: "top", From: noon, Until: noon.Add(5 * time.Millisecond)}}
	drawn := string(Timeline(bars, "Attempts"))
	for _, mark := range []string{"+0s", "+1ms", "+2ms", "+3ms", "+4ms", "+5ms"} {
		require.Contains(t, drawn, ">"+mark+"<")
	}
}
