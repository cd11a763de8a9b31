package ui

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/gen"
)

func TestOverview_ShowsNoRatesThatWereNotCounted(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		name  string
		part  time.Duration
		until time.Time
		want  int
	}{
		{"minutes that are over", time.Minute, noon.Add(90 * time.Second), 1},
		{"all of them", time.Minute, noon.Add(time.Hour), 3},
		{"none", time.Minute, noon.Add(-time.Second), 0},
		{"long parts that have begun", 12 * time.Hour, noon.Add(13 * time.Hour), 2},
	} {
		rates := make([]gen.Throughput, 3)
		for i := range rates {
			rates[i].BucketStart = noon.Add(time.Duration(i) * test.part)
		}
		require.Len(t, counted(rates, &test.until, test.part), test.want, test.name)
		require.Len(t, counted(rates, nil, test.part), 3, test.name)
	}
}

// The chart counts every failure. An outage begins at its first bar, for any number of later failures.
func TestOverview_DrawsAllFailuresByHandler(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)
	rates := []gen.Throughput{{BucketStart: noon}, {BucketStart: noon.Add(time.Minute)}}
	drawn := failureChart(rates, []gen.HandlerFailure{
		{BucketStart: noon, Handler: "charge", Failures: 5000},
		{BucketStart: noon.Add(time.Minute), Handler: "charge", Failures: 20},
		{BucketStart: noon, Handler: "pack", Failures: 7000},
	}, time.Minute)
	require.Equal(t, "Failures by handler", drawn.Title)
	require.Equal(t, []float64{7000, 0}, drawn.Series[0].Values)
	require.Equal(t, []float64{5000, 20}, drawn.Series[1].Values)
}

func TestTimeline_SaysHowAttemptsEnded(t *testing.T) {
	t.Parallel()
	why := "no paper"
	for _, test := range []struct {
		from, to    string
		why         *string
		class, said string
	}{
		{"in_progress", "complete", nil, "done", "complete"},
		{"in_progress", "enqueued_for_orchestration", nil, "done", "enqueued for orchestration"},
		{"in_progress", "enqueued_as_error_for_orchestration", &why, "failed", "failed: no paper"},
		{"in_progress", "enqueued_as_error_for_orchestration", nil, "failed", "failed"},
		{"in_progress", "waiting_for_retry", nil, "failed", "failed"},
		{"in_progress", "error", nil, "failed", "failed"},
		{"in_progress", "enqueued", nil, "off", "went back to the queue"},
		{"in_progress", "cancelled", nil, "off", "cancelled"},
		{"waiting_for_retry", "enqueued", nil, "warn", "waited for the next attempt"},
		{"suspended", "enqueued", nil, "waiting", "waited"},
	} {
		class, said := endOf(gen.TaskEvent{FromState: test.from, ToState: test.to, Error: test.why})
		require.Equal(t, []string{test.class, test.said}, []string{class, said}, test.from+" to "+test.to)
	}
}
