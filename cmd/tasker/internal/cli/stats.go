package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

// rolledUp has the common flags of reports of finished work.
const rolledUp = `It reads what maintenance has counted, not the tasks themselves: "until" says up to when. tasker orchestrate
runs maintenance; --refresh counts up to now first.`

// refreshFlag adds --refresh.
func refreshFlag(command *cobra.Command, refresh *bool) {
	command.Flags().BoolVar(refresh, "refresh", false, "first bring the counts up to date, as maintenance does, by refresh_analytics()")
}

// refreshed updates the rollups, if --refresh is given.
func refreshed(ctx context.Context, e *executor.SqlFunctionExecutor, wanted bool) error {
	if !wanted {
		return nil
	}
	_, err := e.RefreshAnalytics(ctx)
	return err
}

// statsReport is the JSON of the system's work.
type statsReport struct {
	Metrics    gen.AnalyticsMetrics `json:"metrics"`
	Throughput []gen.Throughput     `json:"throughput"`
}

func (a *app) statsCommand() *cobra.Command {
	var (
		since, namespace string
		bucket           time.Duration
		refresh          bool
	)
	command := a.leaf(cobra.Command{
		Use:   "stats",
		Short: "Show what the system did: tasks and results, their rates and durations, and their numbers over time",
		Long: `Show what the system did: tasks and results, their rates and durations, and their numbers over time.

` + rolledUp + ` With --namespace the series is of that one only; the numbers above it
are of all.`,
		Example: "  tasker stats\n  tasker stats --since 24h --bucket 1h --namespace shop",
	}, "an object: metrics (get_analytics_metrics()), throughput (an array of tasker.throughput: get_throughput())",
		func(ctx context.Context, _ []string) error {
			e, err := a.executor(ctx)
			if err != nil {
				return err
			}
			now, err := e.Clock(ctx)
			if err != nil {
				return err
			}
			from, err := parseTime("since", since, now, -1)
			if err != nil {
				return err
			}
			if from.IsZero() {
				return &problem{Exit: exitUsage, Message: "--since is not empty"}
			}
			if bucket == 0 {
				bucket = suitableBucket(now.Sub(from))
			}
			if err := refreshed(ctx, e, refresh); err != nil {
				return err
			}
			var report statsReport
			if report.Metrics, err = e.GetAnalyticsMetrics(ctx, from); err != nil {
				return err
			}
			if report.Throughput, err = e.GetThroughput(ctx, from, bucket, namespace); err != nil {
				return err
			}
			return a.show(report, func() error { return a.printStats(report, now) })
		})
	flags := command.Flags()
	flags.StringVar(&since, "since", "1h", "from when on: 24h ago, or 2026-01-31T12:00:00Z")
	flags.DurationVar(&bucket, "bucket", 0, "the time that one row of the series covers, in whole minutes (default: a time that gives about 12 rows)")
	flags.StringVarP(&namespace, "namespace", "n", "", "the series of this namespace")
	refreshFlag(command, &refresh)
	a.completeFlag(command, "namespace", a.namespaces)
	return a.watched(command)
}

// suitableBucket returns a round duration, of which about twelve cover the period.
func suitableBucket(period time.Duration) time.Duration {
	for _, bucket := range []time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 6 * time.Hour, 24 * time.Hour} {
		if 12*bucket >= period {
			return bucket
		}
	}
	const week = 7 * 24 * time.Hour
	return (period/12/week + 1) * week
}

func (a *app) printStats(r statsReport, now time.Time) error {
	m := r.Metrics
	until := "never: maintenance has not run yet"
	if m.RolledUpUntil != nil {
		until = a.when(m.RolledUpUntil, now)
	}
	err := term.Fields(a.out,
		"since", a.when(&m.AnalysisPeriodStart, now),
		"until", until,
		"tasks ended", fmt.Sprint(m.TaskThroughput),
		"completed", fmt.Sprintf("%d (%s)", m.CompletionCount, percent(m.CompletionRate)),
		"failed", fmt.Sprintf("%d (%s)", m.ErrorCount, percent(m.ErrorRate)),
		"task took", took(m.AvgTaskDuration)+" on average",
		"results", fmt.Sprint(m.StepThroughput),
		"step took", took(m.AvgStepDuration)+" on average",
		"open now", count(int(m.ActiveTasksCount), "task"),
	)
	if err != nil {
		return err
	}
	// The series begins with the first row in which something was done.
	series := r.Throughput
	for len(series) > 0 && quiet(series[0]) {
		series = series[1:]
	}
	if len(series) == 0 {
		return a.out.Print("\nnothing was done in that time\n")
	}
	heading, cell := a.timeColumn("FROM", each(series, func(t gen.Throughput) time.Time { return t.BucketStart }))
	table := term.NewTable(heading, "STARTED", "COMPLETED", "FAILED", "CANCELLED", "RESOLVED", "TASK TOOK", "RESULTS", "FAILURES", "STEP TOOK").
		Yield("RESOLVED", "CANCELLED", "STEP TOOK", "TASK TOOK", "RESULTS")
	for _, t := range series {
		table.Row(
			cell(t.BucketStart), term.Number(t.TasksStarted), term.Number(t.TasksCompleted), term.Number(t.TasksFailed),
			term.Number(t.TasksCancelled), term.Number(t.TasksResolved), average(t.AvgTaskSeconds, t.TasksCompleted),
			term.Number(t.StepResults), term.Number(t.StepFailures), average(t.AvgStepSeconds, t.StepResults),
		)
	}
	if err := a.out.Print("\n"); err != nil {
		return err
	}
	return table.Write(a.out)
}

// quiet returns whether nothing was done.
func quiet(t gen.Throughput) bool {
	return t.TasksStarted+t.TasksCompleted+t.TasksFailed+t.TasksCancelled+t.TasksResolved+t.StepResults == 0
}

// average returns a cell with an average, and an empty cell if it is an average of nothing.
func average(seconds float64, of int64) term.Cell {
	if of == 0 {
		return term.Text("")
	}
	return term.Text(took(seconds))
}

func (a *app) slowCommands() *cobra.Command {
	return a.group("slow", "Show what takes longest", "", a.slowSteps(), a.slowTasks())
}

// slowFlags has the common filters of both reports.
type slowFlags struct {
	since   string
	refresh bool
	filter  sqlfn.GetSlowestStepsParams
}

func (a *app) addSlowFlags(command *cobra.Command, f *slowFlags) {
	flags := command.Flags()
	flags.StringVar(&f.since, "since", "24h", "from when on: 24h ago, or 2026-01-31T12:00:00Z")
	flags.StringVarP(&f.filter.Namespace, "namespace", "n", "", "of this namespace")
	flags.StringVar(&f.filter.TaskName, "name", "", "of templates of this name")
	flags.StringVar(&f.filter.Version, "version", "", "of templates of this version")
	flags.Int32VarP(&f.filter.Limit, "limit", "l", 10, "how many at most")
	refreshFlag(command, &f.refresh)
	a.completeFlag(command, "namespace", a.namespaces)
}

// query returns the executor, the filter, and the time.
func (f *slowFlags) query(ctx context.Context, a *app) (e *executor.SqlFunctionExecutor, filter sqlfn.GetSlowestStepsParams, now time.Time, err error) {
	if e, err = a.executor(ctx); err != nil {
		return nil, filter, now, err
	}
	if now, err = e.Clock(ctx); err != nil {
		return nil, filter, now, err
	}
	filter = f.filter
	if filter.Since, err = parseTime("since", f.since, now, -1); err != nil {
		return nil, filter, now, err
	}
	return e, filter, now, refreshed(ctx, e, f.refresh)
}

func (a *app) slowSteps() *cobra.Command {
	var f slowFlags
	command := a.leaf(cobra.Command{
		Use:   "steps",
		Short: "Show the steps whose executions took longest on average, and their total duration",
		Long: `Show the steps whose executions took longest on average, and their total duration. Percentiles are accurate to
ten percent. ` + rolledUp,
		Example: "  tasker slow steps --since 168h --namespace shop",
	}, "an array of tasker.slowest_steps: get_slowest_steps()", func(ctx context.Context, _ []string) error {
		e, filter, now, err := f.query(ctx, a)
		if err != nil {
			return err
		}
		steps, err := e.GetSlowestSteps(ctx, filter)
		if err != nil {
			return err
		}
		table := term.NewTable("STEP", "RESULTS", "FAILED", "MEAN", "P50", "P95", "P99", "MAX", "TOTAL", "LAST").Yield("P50", "P99", "LAST", "TOTAL", "MAX")
		return list(a, steps, "no results are counted in that time", table, func(s gen.SlowestStepAnalysis) []term.Cell {
			return []term.Cell{
				term.Text(s.StepName), term.Number(s.ExecutionCount), failureRate(s.ErrorCount, s.ErrorRate),
				term.Text(took(s.AvgDurationSeconds)), term.Text(took(s.P50DurationSeconds)), term.Text(took(s.P95DurationSeconds)),
				term.Text(took(s.P99DurationSeconds)), term.Text(took(s.MaxDurationSeconds)), term.Text(took(s.TotalSeconds)),
				term.Text(span(now.Sub(s.LastExecutedAt)) + " ago"),
			}
		})
	})
	a.addSlowFlags(command, &f)
	return command
}

func (a *app) slowTasks() *cobra.Command {
	var f slowFlags
	command := a.leaf(cobra.Command{
		Use:   "tasks",
		Short: "Show the templates whose tasks took longest from start to end",
		Long: `Show the templates whose tasks took longest from start to end, however they ended. Percentiles are accurate to
ten percent. ` + rolledUp,
		Example: "  tasker slow tasks --since 168h --name order",
	}, "an array of tasker.slowest_tasks: get_slowest_tasks()", func(ctx context.Context, _ []string) error {
		e, filter, now, err := f.query(ctx, a)
		if err != nil {
			return err
		}
		tasks, err := e.GetSlowestTasks(ctx, sqlfn.GetSlowestTasksParams(filter))
		if err != nil {
			return err
		}
		table := term.NewTable("TEMPLATE", "TASKS", "STEPS", "FAILED", "MEAN", "P50", "P95", "P99", "MAX", "LAST").Yield("STEPS", "P50", "P99", "LAST", "MAX")
		return list(a, tasks, "no tasks that ended are counted in that time", table, func(t gen.SlowestTaskAnalysis) []term.Cell {
			return []term.Cell{
				term.Text(t.NamespaceName + "/" + t.TaskName + "@" + t.TaskVersion), term.Number(t.ExecutionCount),
				term.Text(fmt.Sprintf("%.1f", t.AvgStepCount)), failureRate(t.ErrorCount, t.ErrorRate),
				term.Text(took(t.AvgDurationSeconds)), term.Text(took(t.P50DurationSeconds)), term.Text(took(t.P95DurationSeconds)),
				term.Text(took(t.P99DurationSeconds)), term.Text(took(t.MaxDurationSeconds)),
				term.Text(span(now.Sub(t.LastExecutedAt)) + " ago"),
			}
		})
	})
	a.addSlowFlags(command, &f)
	return command
}

// failureRate returns a cell with a number of failures and their share, red unless the number is 0.
func failureRate(n int32, share float64) term.Cell {
	if n == 0 {
		return term.Text("")
	}
	return term.Colored(fmt.Sprintf("%d (%s)", n, percent(share)), term.Red)
}
