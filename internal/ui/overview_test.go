package ui

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
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

func TestOverview_SaysThatItDrawsTheNewestFailures(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)
	rates := []gen.Throughput{{BucketStart: noon}, {BucketStart: noon.Add(time.Minute)}}
	failures := make([]gen.StepAudit, failuresDrawn)
	for i := range failures {
		failures[i].RecordedAt, failures[i].Handler = noon.Add(time.Second), "charge"
	}
	require.Equal(t, "The newest 1,000 failures by handler", failureChart(rates, failures, time.Minute).Title)
	fewer := failureChart(rates, failures[1:], time.Minute)
	require.Equal(t, "Failures by handler", fewer.Title)
	require.Equal(t, []float64{failuresDrawn - 1, 0}, fewer.Series[0].Values)
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
		class, said := endOf(executor.TaskEvent{FromState: test.from, ToState: test.to, Error: test.why})
		require.Equal(t, []string{test.class, test.said}, []string{class, said}, test.from+" to "+test.to)
	}
}
