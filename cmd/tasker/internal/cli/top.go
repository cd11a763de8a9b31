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

const (
	topRows     = 5
	topFailures = 15 * time.Minute // how far back failures are shown
	topSlow     = time.Hour        // how far back executions are compared
)

// topReport is a picture of the running work, and its JSON.
type topReport struct {
	At       time.Time                   `json:"at"`
	Rates    *topRates                   `json:"rates"` // nil in the first picture
	Counts   executor.SystemHealthCounts `json:"counts"`
	Queues   []gen.QueueHealth           `json:"queues"`
	Running  []gen.RunningStep           `json:"running"`
	Failures []gen.StepAudit             `json:"failures"`
	Slowest  []gen.SlowestStepAnalysis   `json:"slowest"`
}

// topRates has the rates per second since the previous picture.
type topRates struct {
	TasksCreated float64 `json:"tasks_created"`
	TasksEnded   float64 `json:"tasks_ended"`
	StepsDone    float64 `json:"steps_done"`
	StepsFailed  float64 `json:"steps_failed"`
}

func (a *app) topCommand() *cobra.Command {
	var (
		every     time.Duration
		once      bool
		namespace string
		rows      int32
	)
	command := a.leaf(cobra.Command{
		Use:   "top",
		Short: "Show the running work repeatedly: rates, queues, running and slow steps, failures",
		Long: fmt.Sprintf(`Show the system, repeatedly until interrupted: rates since the previous picture, the queues that are not
empty, the steps that run, longest first, the failures of the last %s, and the steps that took longest in the last %s,
according to the counts of maintenance. If the output is not a terminal, each picture is printed below the previous picture.`,
			span(topFailures), span(topSlow)),
		Example: "  tasker top\n  tasker top --namespace shop --every 10s\n  tasker top --once --json",
	}, "an object for each picture: at, rates (null in the first), counts (get_system_health_counts()), queues (get_queue_health()), running (list_running_steps()), failures (get_audit_by_time_range()), slowest (get_slowest_steps())",
		func(ctx context.Context, _ []string) error {
			if rows < 1 {
				return &problem{Exit: exitUsage, Message: "--rows is at least 1"}
			}
			e, err := a.executor(ctx)
			if err != nil {
				return err
			}
			var before *topReport
			seen := time.Now()
			round := func(ctx context.Context) error {
				report, err := readTop(ctx, e, namespace, rows)
				if err != nil {
					return err
				}
				now := time.Now()
				if before != nil {
					report.Rates = ratesSince(before.Counts, report.Counts, now.Sub(seen))
				}
				before, seen = &report, now
				return a.show(report, func() error { return a.printTop(report) })
			}
			if once {
				return round(ctx)
			}
			return a.live(ctx, "tasker top", every, round)
		})
	flags := command.Flags()
	flags.DurationVar(&every, "every", watchEvery, "how long each picture stays")
	flags.BoolVar(&once, "once", false, "show one picture, and end")
	flags.StringVarP(&namespace, "namespace", "n", "", "steps and queues of this namespace; tasks and rates are always of all namespaces")
	flags.Int32Var(&rows, "rows", topRows, "how many rows of each kind at most")
	a.completeFlag(command, "namespace", a.namespaces)
	return command
}

// readTop reads the running work.
func readTop(ctx context.Context, e *executor.SqlFunctionExecutor, namespace string, rows int32) (r topReport, err error) {
	counts, err := e.GetSystemHealthCounts(ctx)
	if err != nil {
		return r, err
	}
	r.Counts = counts
	if r.At, err = e.Clock(ctx); err != nil {
		return r, err
	}
	queues, err := e.GetQueueHealth(ctx)
	if err != nil {
		return r, err
	}
	r.Queues = []gen.QueueHealth{}
	for _, q := range queues {
		if q.ReadySteps+q.LeasedSteps > 0 && (namespace == "" || q.NamespaceName == namespace) {
			r.Queues = append(r.Queues, q)
		}
	}
	if r.Running, err = e.ListRunningSteps(ctx, namespace, rows); err != nil {
		return r, err
	}
	failed := false
	if r.Failures, err = e.GetAuditByTimeRange(ctx, sqlfn.GetAuditByTimeRangeParams{
		Since: r.At.Add(-topFailures), Success: &failed, Namespace: namespace, Limit: rows,
	}); err != nil {
		return r, err
	}
	r.Slowest, err = e.GetSlowestSteps(ctx, sqlfn.GetSlowestStepsParams{Since: r.At.Add(-topSlow), Namespace: namespace, Limit: rows})
	return r, err
}

// ratesSince returns the rates per second between two counts. A rate is never negative, although retention can make a count
// smaller.
func ratesSince(before, now executor.SystemHealthCounts, passed time.Duration) *topRates {
	rate := func(before, now int64) float64 {
		if passed <= 0 {
			return 0
		}
		return max(float64(now-before), 0) / passed.Seconds()
	}
	ended := func(c executor.SystemHealthCounts) int64 {
		return c.CompleteTasks + c.ErrorTasks + c.CancelledTasks + c.ResolvedManuallyTasks
	}
	return &topRates{
		TasksCreated: rate(before.TotalTasks, now.TotalTasks),
		TasksEnded:   rate(ended(before), ended(now)),
		StepsDone:    rate(before.CompleteSteps, now.CompleteSteps),
		StepsFailed:  rate(before.ErrorSteps, now.ErrorSteps),
	}
}

func (a *app) printTop(r topReport) error {
	c := r.Counts
	rates := "…"
	if r.Rates != nil {
		rates = fmt.Sprintf("%.1f tasks created, %.1f ended, %.1f steps done, %.1f failed a second",
			r.Rates.TasksCreated, r.Rates.TasksEnded, r.Rates.StepsDone, r.Rates.StepsFailed)
	}
	err := term.Fields(a.out,
		"tasks", counted(
			c.PendingTasks, "pending", c.InitializingTasks+c.EnqueuingStepsTasks+c.StepsInProcessTasks+c.EvaluatingResultsTasks, "active",
			c.WaitingForDependenciesTasks, "waiting", c.WaitingForRetryTasks, "retrying", c.BlockedByFailuresTasks, "blocked"),
		"steps", counted(c.EnqueuedSteps, "ready", c.InProgressSteps, "running", c.WaitingForRetrySteps, "retrying", c.ErrorSteps, "failed"),
		"rates", rates,
	)
	if err != nil {
		return err
	}
	queues := term.NewTable("QUEUE", "LANE", "READY", "RUNNING", "OLDEST", "").Yield("OLDEST")
	for _, q := range r.Queues {
		paused := ""
		if q.Paused {
			paused = "paused"
		}
		queues.Row(term.Text(q.NamespaceName), term.Text(q.Lane), term.Number(q.ReadySteps), term.Number(q.LeasedSteps),
			term.Text(took(q.OldestReadySeconds)), term.Colored(paused, term.Yellow))
	}
	running := term.NewTable("RUNNING", "STEP", "TEMPLATE", "HANDLER", "TRY", "FOR", "WORKER").Yield("HANDLER", "TEMPLATE")
	for _, s := range r.Running {
		running.Row(a.taskID(s.TaskUUID), term.Text(s.StepName), term.Text(s.Namespace+"/"+s.TaskName), term.Text(s.Handler),
			term.Text(fmt.Sprintf("%d/%d", s.Attempts, s.MaxAttempts)), term.Text(span(r.At.Sub(s.StartedAt))), term.Text(workerName(text(s.WorkerName))))
	}
	failures := term.NewTable("FAILED", "STEP", "AGO", "ERROR")
	for _, f := range r.Failures {
		failures.Row(a.taskID(f.TaskUUID), term.Text(f.StepName), term.Text(span(r.At.Sub(f.RecordedAt))), term.Colored(text(f.Error), term.Red))
	}
	slowest := term.NewTable("SLOWEST", "RESULTS", "MEAN", "P95", "MAX")
	for _, s := range r.Slowest {
		slowest.Row(term.Text(s.StepName), term.Number(s.ExecutionCount), term.Text(took(s.AvgDurationSeconds)),
			term.Text(took(s.P95DurationSeconds)), term.Text(took(s.MaxDurationSeconds)))
	}
	for _, part := range []struct {
		table *term.Table
		rows  int
	}{{queues, len(r.Queues)}, {running, len(r.Running)}, {failures, len(r.Failures)}, {slowest, len(r.Slowest)}} {
		if part.rows == 0 {
			continue
		}
		if err := a.out.Print("\n"); err != nil {
			return err
		}
		if err := part.table.Write(a.out); err != nil {
			return err
		}
	}
	return nil
}
