package ui

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"slices"
	"time"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/ui/chart"
)

// period is the length of time that the overview shows, and the length of each part of its charts.
type period struct {
	Name, Said   string
	Since, Parts time.Duration
}

var periods = []period{
	{"1h", "1 hour", time.Hour, time.Minute},
	{"24h", "24 hours", day, 15 * time.Minute},
	{"7d", "7 days", 7 * day, 2 * time.Hour},
	{"30d", "30 days", 30 * day, 12 * time.Hour},
}

// tile is a number of the overview with its link.
type tile struct {
	Name, Figure, Note, Href, Class, Icon string
}

type overview struct {
	Verdict               *verdict
	Tiles                 []tile
	Periods               []period
	Period                period
	Namespace             string
	Namespaces            []gen.TaskNamespace
	Charts                []chart.Chart
	Running               []gen.RunningStep
	Failures              []gen.StepAudit
	Slowest               []gen.SlowestStepAnalysis
	Blocked               []executor.TaskDetail
	Refused, RatesRefused *Problem
	CountedUntil          *time.Time
	Empty                 bool
}

func loadOverview(ctx context.Context, q *query) (page, error) {
	o := overview{Periods: periods, Period: periods[0], Namespace: text(q.value("namespace"))}
	for _, p := range periods {
		if p.Name == text(q.value("since")) {
			o.Period = p
		}
	}
	var err error
	o.Refused, err = q.part(ctx, func(e *executor.SqlFunctionExecutor) error { return o.readHealth(ctx, q, e) })
	if err != nil {
		return page{}, err
	}
	o.RatesRefused, err = q.part(ctx, func(e *executor.SqlFunctionExecutor) error { return o.readRates(ctx, q, e) })
	if err != nil {
		return page{}, err
	}
	if _, err = q.part(ctx, func(e *executor.SqlFunctionExecutor) error { return o.readLists(ctx, q, e) }); err != nil {
		return page{}, err
	}
	return page{title: "Overview", data: o}, nil
}

// readHealth reads the state of the system, in words and numbers.
func (o *overview) readHealth(ctx context.Context, q *query, e *executor.SqlFunctionExecutor) error {
	v, err := readVerdict(ctx, e, o.Namespace)
	if err != nil {
		return err
	}
	o.Verdict, o.CountedUntil = v, v.Counts.RolledUpUntil
	c := v.Counts
	active := c.InitializingTasks + c.EnqueuingStepsTasks + c.StepsInProcessTasks + c.EvaluatingResultsTasks
	open := c.PendingTasks + active + c.WaitingForDependenciesTasks + c.WaitingForRetryTasks + c.BlockedByFailuresTasks
	o.Empty = c.TotalTasks == 0
	if o.Namespace != "" {
		return o.countNamespace(ctx, e)
	}
	o.Tiles = []tile{
		{"Open tasks", number(open), number(active) + " active", Root + "/tasks?state=open", "active", "running"},
		{"Steps running", number(c.InProgressSteps), number(c.EnqueuedSteps) + " ready", Root + "/workers", "active", "ready"},
		{"Waiting for retry", number(c.WaitingForRetrySteps), "steps", Root + "/tasks?state=waiting_for_retry", "warn", "retry"},
		{"Blocked tasks", number(c.BlockedByFailuresTasks), "by failures", Root + "/tasks?state=blocked_by_failures", "failed", "blocked"},
		{"Suspended", number(c.SuspendedSteps), "steps that wait", Root + "/waits", "waiting", "pause"},
		{"Dead letters", number(c.PendingDLQEntries), "to investigate", Root + "/dead-letters", "failed", "cross"},
	}
	o.dim()
	return nil
}

// dim takes the colour from tiles without a figure.
func (o *overview) dim() {
	for i := range o.Tiles {
		if o.Tiles[i].Figure == "0" {
			o.Tiles[i].Class = "idle"
		}
	}
}

// countNamespace counts the steps and tasks of one namespace.
func (o *overview) countNamespace(ctx context.Context, e *executor.SqlFunctionExecutor) error {
	queues, err := e.GetQueueHealth(ctx)
	if err != nil {
		return err
	}
	var ready, running int64
	for _, q := range queues {
		if q.NamespaceName == o.Namespace {
			ready, running = ready+q.ReadySteps, running+q.LeasedSteps
		}
	}
	in := "namespace=" + url.QueryEscape(o.Namespace)
	for _, t := range []struct{ tile, kind, filter, value string }{
		{"Open tasks", "tasks", "state", "open"},
		{"Waiting for retry", "tasks", "state", "waiting_for_retry"},
		{"Blocked tasks", "tasks", "state", "blocked_by_failures"},
		{"Dead letters", "dead_letters", "status", "pending"},
	} {
		filters, err := json.Marshal(map[string]string{"namespace": o.Namespace, t.filter: t.value})
		if err != nil {
			return err
		}
		found, err := e.PreviewSelection(ctx, sqlfn.PreviewSelectionParams{Kind: t.kind, Filters: filters, Limit: countedAtMost})
		if err != nil {
			return err
		}
		shown := tile{t.tile, number(int64(found.Entries)), "", Root + "/tasks?state=" + t.value + "&" + in, "failed", "blocked"}
		if found.More {
			shown.Figure = "> " + shown.Figure
		}
		switch t.value {
		case "open":
			shown.Class, shown.Icon = "active", "running"
		case "waiting_for_retry":
			shown.Class, shown.Icon = "warn", "retry"
		case "pending":
			shown.Icon, shown.Href = "cross", Root+"/dead-letters?"+in
		}
		o.Tiles = append(o.Tiles, shown)
		if t.value == "open" {
			o.Tiles = append(o.Tiles, tile{"Steps running", number(running), number(ready) + " ready", Root + "/queues", "active", "ready"})
		}
	}
	o.dim()
	return nil
}

// readRates reads the rates of the charts.
func (o *overview) readRates(ctx context.Context, q *query, e *executor.SqlFunctionExecutor) error {
	since := q.now.Add(-o.Period.Since)
	rates, err := e.GetThroughput(ctx, since, o.Period.Parts, o.Namespace)
	if err != nil {
		return err
	}
	o.Charts = append(rateCharts(counted(rates, o.CountedUntil, o.Period.Parts), o.Period.Parts), o.queueCharts(ctx, e, q.now)...)
	failures, err := e.GetHandlerFailures(ctx, since, o.Period.Parts, o.Namespace)
	if err != nil {
		return err
	}
	o.Charts = append(o.Charts, failureChart(rates, failures, o.Period.Parts))
	failed := false
	o.Failures, err = e.GetAuditByTimeRange(ctx, sqlfn.GetAuditByTimeRangeParams{Since: since, Success: &failed, Namespace: o.Namespace, Limit: 6})
	return err
}

// readLists reads the running steps, the slow steps, and the steps that need a person.
func (o *overview) readLists(ctx context.Context, q *query, e *executor.SqlFunctionExecutor) (err error) {
	few, blocked := int32(6), "blocked_by_failures"
	if o.Blocked, err = e.ListTasks(ctx, sqlfn.ListTasksParams{Namespace: o.Namespace, State: blocked, Limit: few}); err != nil {
		return err
	}
	if o.Namespaces, err = e.ListNamespaces(ctx); err != nil {
		return err
	}
	if o.Running, err = e.ListRunningSteps(ctx, o.Namespace, few); err != nil {
		return err
	}
	o.Slowest, err = e.GetSlowestSteps(ctx, sqlfn.GetSlowestStepsParams{Since: q.now.Add(-o.Period.Since), Limit: few, Namespace: o.Namespace})
	return err
}

// counted returns the rates without the parts that the rollups have not fully counted, since such parts would look as if less
// had happened. A part of more than 15 minutes is kept once its counting has begun.
func counted(rates []gen.Throughput, until *time.Time, part time.Duration) []gen.Throughput {
	if until == nil {
		return rates
	}
	needed := part
	if part > 15*time.Minute {
		needed = 0
	}
	for len(rates) > 0 && rates[len(rates)-1].BucketStart.Add(needed).After(*until) {
		rates = rates[:len(rates)-1]
	}
	return rates
}

// gapIfZero returns a mean, or the value that the chart draws as a gap if the mean is 0, since a mean of 0 means that
// nothing was measured.
func gapIfZero(mean float64) float64 {
	if mean == 0 {
		return math.NaN()
	}
	return mean
}

// rateCharts draw the counts of the rollups.
func rateCharts(rates []gen.Throughput, part time.Duration) []chart.Chart {
	times := make([]time.Time, len(rates))
	pick := func(name, class string, value func(gen.Throughput) float64) chart.Series {
		s := chart.Series{Name: handlerName(name), Class: class, Values: make([]float64, len(rates))}
		for i, r := range rates {
			times[i], s.Values[i] = r.BucketStart, value(r)
		}
		return s
	}
	a := "a " + span(part)
	if part == time.Minute {
		a = "a minute"
	}
	return []chart.Chart{
		{
			Title: "Tasks " + a, Times: times, Series: []chart.Series{
				pick("started", "c1", func(r gen.Throughput) float64 { return float64(r.TasksStarted) }),
				pick("complete", "c2", func(r gen.Throughput) float64 { return float64(r.TasksCompleted) }),
				pick("failed", "c3", func(r gen.Throughput) float64 { return float64(r.TasksFailed) }),
			}, Empty: "No task was counted in this time.",
		},
		{
			Title: "Step results " + a, Stacked: true, Times: times, Series: []chart.Series{
				pick("successful", "c2", func(r gen.Throughput) float64 { return float64(r.StepResults - r.StepFailures) }),
				pick("failed", "c3", func(r gen.Throughput) float64 { return float64(r.StepFailures) }),
			}, Empty: "No result was counted in this time.",
		},
		{
			Title: "Mean duration", Times: times, Say: took, Series: []chart.Series{
				pick("of tasks", "c1", func(r gen.Throughput) float64 { return gapIfZero(r.AvgTaskSeconds) }),
				pick("of executions", "c4", func(r gen.Throughput) float64 { return gapIfZero(r.AvgStepSeconds) }),
			}, Empty: "Nothing ended in this time.",
		},
	}
}

// queueCharts draw the lengths of the queues, up to now.
func (o *overview) queueCharts(ctx context.Context, e *executor.SqlFunctionExecutor, now time.Time) []chart.Chart {
	lengths, err := e.GetQueueHistory(ctx, now.Add(-o.Period.Since), o.Period.Parts, o.Namespace)
	if err != nil {
		return nil
	}
	queues, err := e.GetQueueHealth(ctx)
	if err != nil {
		return nil
	}
	last := gen.QueueLength{BucketStart: now}
	for _, q := range queues {
		if o.Namespace != "" && q.NamespaceName != o.Namespace {
			continue
		}
		last.Ready += q.ReadySteps
		last.Leased += q.LeasedSteps
		if !q.Paused {
			last.OldestSeconds = max(last.OldestSeconds, q.OldestReadySeconds)
		}
	}
	// The newest part has at best the lengths of the last minute. The present lengths replace it.
	if n := len(lengths); n > 0 {
		lengths = lengths[:n-1]
	}
	lengths = append(lengths, last)
	times := make([]time.Time, len(lengths))
	ready, leased, oldest := make([]float64, len(lengths)), make([]float64, len(lengths)), make([]float64, len(lengths))
	for i, l := range lengths {
		times[i], ready[i], leased[i], oldest[i] = l.BucketStart, float64(l.Ready), float64(l.Leased), l.OldestSeconds
	}
	return []chart.Chart{
		{
			Title: "Queue depth", Times: times, Empty: "All queues were empty in this time.",
			Series: []chart.Series{{Name: "ready", Class: "c1", Values: ready}, {Name: "running", Class: "c4", Values: leased}},
		},
		{
			Title: "Oldest ready step", Times: times, Say: took, Empty: "No step had to wait in this time.",
			Series: []chart.Series{{Name: "has waited", Class: "c5", Values: oldest}},
		},
	}
}

// failureChart draws the failures by handler. The handlers with the most failures stand by name, and the rest
// together.
func failureChart(rates []gen.Throughput, failures []gen.HandlerFailure, part time.Duration) chart.Chart {
	c := chart.Chart{Title: "Failures by handler", Stacked: true, Empty: "No step failed in this time."}
	for _, r := range rates {
		c.Times = append(c.Times, r.BucketStart)
	}
	if len(c.Times) == 0 {
		return c
	}
	total := map[string]int64{}
	for _, f := range failures {
		total[f.Handler] += f.Failures
	}
	var names []string
	for name := range total {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		if total[a] != total[b] {
			return cmp.Compare(total[b], total[a])
		}
		return slices.Compare([]byte(a), []byte(b))
	})
	const named = 4
	series := map[string]int{}
	for i, name := range names {
		if i == named {
			c.Series = append(c.Series, chart.Series{Name: "others", Class: "c6"})
		}
		if i < named {
			c.Series = append(c.Series, chart.Series{Name: handlerName(name), Class: fmt.Sprintf("f%d", i+1)})
		}
		series[name] = min(i, named)
	}
	for i := range c.Series {
		c.Series[i].Values = make([]float64, len(c.Times))
	}
	for _, f := range failures {
		if i := int(f.BucketStart.Sub(c.Times[0]) / part); i >= 0 && i < len(c.Times) {
			c.Series[series[f.Handler]].Values[i] += float64(f.Failures)
		}
	}
	return c
}

// overviewEvery is the time between two readings of the overview and the health. overviewFresh is the greatest age of the
// shown data.
const (
	overviewEvery = 5 * time.Second
	overviewFresh = 2 * time.Second
)

// markOverview changes with time alone. The overview always changes, and reading its counts costs more than any other
// mark.
func markOverview(_ context.Context, q *query) (any, error) {
	return q.now.Truncate(overviewEvery), nil
}
