package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/executor"
)

// healthReport is what --json prints of the system's health.
type healthReport struct {
	Healthy  bool     `json:"healthy"`
	Problems []string `json:"problems"`
	// Notes are findings to check some time; they are not urgent.
	Notes    []string                    `json:"notes"`
	Unserved []executor.UnservedStep     `json:"unserved"`
	Diverged []executor.DivergedTemplate `json:"diverged"`
	Refused  []executor.RefusedProgram   `json:"refused"`
	Score    float64                     `json:"score"`
	Counts   executor.SystemHealthCounts `json:"counts"`
	Queues   []executor.QueueHealth      `json:"queues"`
	Duties   []executor.MaintenanceDuty  `json:"duties"`
}

func (a *app) healthCommand() *cobra.Command {
	var longest time.Duration
	command := a.leaf(cobra.Command{
		Use:   "health",
		Short: "Show how much work is open, how long it waits, and whether anything is wrong",
		Long: fmt.Sprintf(`Show how much work is open, how long it waits, and whether anything is wrong:

  load         more than 80%% of the connections are in use, or more than 20%% of the tasks have failed
  waiting      a task waits for an orchestrator, or a step for a worker, for longer than --max-wait;
               paused work may wait
  maintenance  ended work was never counted, or not within --max-wait, or a duty failed
  partitions   there is none for tasks that are created now

The exit code is %d if one of these is true. Work that waits for people is shown without changing the verdict: steps
whose handler no running worker has, tasks that are blocked by failures, open dead letters. It costs the same however many tasks have ended; tasker doctor
looks deeper, at the server and the installation.`, exitNo),
		Example: "  tasker health\n  tasker health --max-wait 1m --json      # as a probe",
	}, "an object: healthy, problems, notes, unserved (list_unserved_steps()), diverged (list_diverged_templates()), refused (list_refused_programs()), score (0 to 1: half of it is the share of tasks that are complete), counts (get_system_health_counts()), queues (get_queue_health()), duties (list_maintenance_duties())",
		func(ctx context.Context, _ []string) error {
			if longest <= 0 {
				return &problem{Exit: exitUsage, Message: "--max-wait is more than 0"}
			}
			e, err := a.executor(ctx)
			if err != nil {
				return err
			}
			report, now, err := readHealth(ctx, e, longest)
			if err != nil {
				return err
			}
			if err := a.show(report, func() error { return a.printHealth(report, now) }); err != nil {
				return err
			}
			if !report.Healthy {
				return silent
			}
			return nil
		})
	command.Flags().DurationVar(&longest, "max-wait", 15*time.Minute, "how long work may wait, and maintenance be behind")
	return a.watched(command)
}

// readHealth reads how the system is, and judges it.
func readHealth(ctx context.Context, e *executor.SqlFunctionExecutor, longest time.Duration) (r healthReport, now time.Time, err error) {
	counts, err := e.GetSystemHealthCounts(ctx)
	if err != nil {
		return r, now, err
	}
	if r.Queues, err = e.GetQueueHealth(ctx); err != nil {
		return r, now, err
	}
	if r.Duties, err = e.ListMaintenanceDuties(ctx); err != nil {
		return r, now, err
	}
	if r.Unserved, err = e.ListUnservedSteps(ctx, nil); err != nil {
		return r, now, err
	}
	if r.Diverged, err = e.ListDivergedTemplates(ctx, nil); err != nil {
		return r, now, err
	}
	if now, err = e.Clock(ctx); err != nil {
		return r, now, err
	}
	if r.Refused, err = e.ListRefusedPrograms(ctx, nil); err != nil {
		return r, now, err
	}
	if r.Refused == nil {
		r.Refused = []executor.RefusedProgram{}
	}
	if r.Diverged == nil {
		r.Diverged = []executor.DivergedTemplate{}
	}
	if r.Queues == nil {
		r.Queues = []executor.QueueHealth{}
	}
	r.Counts, r.Score = counts, counts.HealthScore()
	r.Problems = append(countProblems(counts, now, longest), workProblems(r.Queues, r.Duties, longest)...)
	r.Notes = append(healthNotes(counts, r.Unserved, now), append(divergedNotes(r.Diverged), refusedNotes(r.Refused)...)...)
	r.Healthy = len(r.Problems) == 0
	return r, now, nil
}

// standbyNote says that the server is a standby, and how far behind.
func standbyNote(c executor.SystemHealthCounts) string {
	if c.StandbyLagSeconds == nil {
		return "This server is a standby; it is not known how far it is behind its primary."
	}
	return fmt.Sprintf("This server is a standby, %s behind its primary.", took(*c.StandbyLagSeconds))
}

// countProblems says what of the counts is wrong.
func countProblems(c executor.SystemHealthCounts, now time.Time, longest time.Duration) []string {
	problems := []string{}
	add := func(wrong bool, format string, arguments ...any) {
		if wrong {
			problems = append(problems, fmt.Sprintf(format, arguments...))
		}
	}
	add(c.IsUnderHeavyLoad(), "heavy load: %d of %d connections, %d of %s failed",
		c.ActiveConnections, c.MaxConnections, c.ErrorTasks, count(int(c.TotalTasks), "task"))
	waited := time.Duration(c.OldestWaitingSeconds * float64(time.Second))
	add(waited > longest, "a task has waited for an orchestrator for %s", span(waited))
	add(c.FailingTimers > 0, "%s cannot be fired: tasker doctor says why", count(int(c.FailingTimers), "timer"))
	// Without maintenance there may be tasks that are not counted yet: how many there are says nothing here.
	if c.Standby {
		// Maintenance and orchestrators are the primary's, and what it has done comes here later.
		return problems
	}
	add(c.RolledUpUntil == nil, "ended work was never counted: run tasker orchestrate, tasker serve or a worker in Go, or call tasker.do_duties()")
	if until := c.RolledUpUntil; until != nil {
		add(now.Sub(*until) > longest, "ended work was last counted %s ago: run tasker orchestrate, tasker serve or a worker in Go, or call tasker.do_duties()", span(now.Sub(*until)))
	}
	add(c.PartitionsUntil == nil || !c.PartitionsUntil.After(now), "there is no partition for tasks that are made now")
	return problems
}

// workProblems returns the queues that no worker serves and the duties that failed.
func workProblems(queues []executor.QueueHealth, duties []executor.MaintenanceDuty, longest time.Duration) []string {
	var problems []string
	for _, q := range queues {
		waited := time.Duration(q.OldestServedSeconds * float64(time.Second))
		if waited > longest && !q.Paused {
			problems = append(problems, fmt.Sprintf("a step of %s, lane %s, has been ready for %s", q.NamespaceName, q.Lane, span(waited)))
		}
	}
	for _, duty := range duties {
		if duty.LastError != nil {
			problems = append(problems, fmt.Sprintf("maintenance: %s failed: %s", duty.Duty, *duty.LastError))
		}
	}
	return problems
}

// divergedNotes names the versions whose steps wait for a program that fits, with the digests of their types.
func divergedNotes(diverged []executor.DivergedTemplate) (notes []string) {
	for _, d := range diverged {
		types := ""
		if d.TypesDigest != nil {
			types = ", types " + *d.TypesDigest
		}
		notes = append(notes, fmt.Sprintf("%s of %s/%s@%s%s: the program makes other calls, or takes other types, than the one before; docs/howto/replay.md",
			count(int(d.Steps), "step"), d.Namespace, d.Name, d.Version, types))
	}
	return notes
}

// refusedNotes names the programs that were refused under a version of another program.
func refusedNotes(refused []executor.RefusedProgram) (notes []string) {
	for _, p := range refused {
		notes = append(notes, fmt.Sprintf("%s/%s: %s", p.Namespace, p.Name, p.Finding))
	}
	return notes
}

// healthNotes says what waits for people without being wrong.
func healthNotes(c executor.SystemHealthCounts, unserved []executor.UnservedStep, now time.Time) []string {
	notes := []string{}
	for _, step := range unserved {
		note := fmt.Sprintf("no running worker has handler %s, for which a step of %s has been ready for %s",
			step.Handler, step.Namespace, span(now.Sub(step.ReadySince)))
		if step.Nearest != nil {
			note += fmt.Sprintf(" (did you mean %s?)", *step.Nearest)
		}
		notes = append(notes, note)
	}
	if n := int(c.BlockedByFailuresTasks); n > 0 {
		notes = append(notes, count(n, "task")+" blocked by failures: tasker task list --state blocked_by_failures")
	}
	if n := int(c.PendingDLQEntries); n > 0 {
		notes = append(notes, count(n, "open dead letter")+": tasker dlq list")
	}
	if n := int(c.EndingTokens); n > 0 {
		notes = append(notes, count(n, "token")+" of tasker serve ending within a week: tasker doctor names them, and tasker token create makes new ones")
	}
	if n := int(c.UnusedSignals); n > 0 {
		notes = append(notes, count(n, "signal")+" that no step took before the task ended; is a name misspelt? tasker task show TASK names them")
	}
	return notes
}

func (a *app) printHealth(r healthReport, now time.Time) error {
	verdict, color := "healthy", term.Green
	if !r.Healthy {
		verdict, color = "unhealthy", term.Red
	}
	summary := ""
	switch problems, notes := count(len(r.Problems), "problem"), count(len(r.Notes), "thing")+" to look at"; {
	case !r.Healthy && len(r.Notes) > 0:
		summary = ": " + problems + ", and " + notes
	case !r.Healthy:
		summary = ": " + problems
	case len(r.Notes) > 0:
		summary = ", with " + notes
	}
	if err := a.out.Say("%s%s\n", a.out.Paint(verdict, color), summary); err != nil {
		return err
	}
	for _, p := range r.Problems {
		if err := a.out.Say("%s %s\n", a.out.Paint("!", term.Red), term.Clean(p)); err != nil {
			return err
		}
	}
	c := r.Counts
	if c.Standby {
		if err := a.out.Print(standbyNote(c) + "\n"); err != nil {
			return err
		}
	}
	for _, note := range r.Notes {
		if err := a.out.Say("%s %s\n", a.out.Paint("·", term.Yellow), term.Clean(note)); err != nil {
			return err
		}
	}
	if err := a.out.Print("\n"); err != nil {
		return err
	}
	changed := ""
	if c.DivergedSteps > 0 {
		changed = counted(c.DivergedSteps, "diverged")
	}
	err := term.Fields(a.out,
		"tasks", counted(
			c.PendingTasks, "pending", c.InitializingTasks, "initializing", c.EnqueuingStepsTasks, "enqueuing_steps",
			c.StepsInProcessTasks, "steps_in_process", c.EvaluatingResultsTasks, "evaluating_results",
			c.WaitingForDependenciesTasks, "waiting_for_dependencies", c.WaitingForRetryTasks, "waiting_for_retry",
			c.BlockedByFailuresTasks, "blocked_by_failures", c.CompleteTasks, "complete", c.ErrorTasks, "error",
			c.CancelledTasks, "cancelled", c.ResolvedManuallyTasks, "resolved_manually"),
		"steps", counted(
			c.PendingSteps, "pending", c.EnqueuedSteps, "enqueued", c.InProgressSteps, "in_progress",
			c.EnqueuedForOrchestrationSteps, "enqueued_for_orchestration",
			c.EnqueuedAsErrorForOrchestrationSteps, "enqueued_as_error_for_orchestration",
			c.WaitingForRetrySteps, "waiting_for_retry", c.SuspendedSteps, "suspended", c.CompleteSteps, "complete", c.ErrorSteps, "error",
			c.CancelledSteps, "cancelled", c.ResolvedManuallySteps, "resolved_manually"),
		"connections", fmt.Sprintf("%d of %d", c.ActiveConnections, c.MaxConnections),
		"wait for an orchestrator", counted(c.WaitingTasks, "tasks"),
		"dead letters", counted(c.PendingDLQEntries, "open"),
		"signals not taken", counted(c.KeptSignals, "kept", c.UnusedSignals, "unused"),
		"changed functions", changed,
		"partitions until", a.when(c.PartitionsUntil, now),
		"ended work until", a.when(c.RolledUpUntil, now),
	)
	if err != nil {
		return err
	}
	table := term.NewTable("NAMESPACE", "LANE", "READY", "LEASED", "OLDEST", "")
	busy := 0
	for _, q := range r.Queues {
		if q.ReadySteps+q.LeasedSteps == 0 {
			continue
		}
		busy++
		paused := ""
		if q.Paused {
			paused = "paused"
		}
		table.Row(term.Text(q.NamespaceName), term.Text(q.Lane), term.Number(q.ReadySteps), term.Number(q.LeasedSteps),
			term.Text(took(q.OldestReadySeconds)), term.Colored(paused, term.Yellow))
	}
	if busy == 0 {
		return nil
	}
	if err := a.out.Print("\n"); err != nil {
		return err
	}
	return table.Write(a.out)
}

// counted joins numbers and what they count; what there is none of is left out.
func counted(pairs ...any) string {
	var parts []string
	for i := 0; i+1 < len(pairs); i += 2 {
		if n := pairs[i].(int64); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, pairs[i+1]))
		}
	}
	if len(parts) == 0 {
		return "none"
	}
	return join(", ", parts...)
}
