package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/judge"
)

// healthReport is the JSON of the system's health.
type healthReport struct {
	judge.Verdict
	Healthy bool `json:"healthy"`
	// Notes are findings to check some time. They are not urgent.
	Notes    []string                    `json:"notes"`
	Unserved []gen.UnservedStep          `json:"unserved"`
	Diverged []gen.DivergedTemplate      `json:"diverged"`
	Refused  []gen.RefusedProgram        `json:"refused"`
	Score    float64                     `json:"score"`
	Counts   executor.SystemHealthCounts `json:"counts"`
	Queues   []gen.QueueHealth           `json:"queues"`
	Duties   []gen.MaintenanceDuty       `json:"duties"`
}

func (a *app) healthCommand() *cobra.Command {
	command := a.leaf(cobra.Command{
		Use:   "health",
		Short: "Show what is wrong, how much work is open, and how long it waits",
		Long: fmt.Sprintf(`Show what is wrong, how much work is open, and how long it waits.

The verdict has the severity of the most severe incident, the first line of tasker incidents list. tasker incidents rules
shows the thresholds. tasker incidents acknowledge lowers the severity of an incident to information.

The exit code is 0 if nothing is wrong, %d if a person must act now, %d if a person should look today. Its cost does not
depend on the number of tasks that have ended. tasker doctor also checks the server and the installation.`, exitNo, exitLook),
		Example: "  tasker health\n  tasker health --json      # as a probe",
	}, "an object: severity (act_now, look_today or well), sentence, incidents (list_incidents()), healthy (whether severity is well), notes, unserved (list_unserved_steps()), diverged (list_diverged_templates()), refused (list_refused_programs()), score (0 to 1: half of it is the share of tasks that are complete), counts (get_system_health_counts()), queues (get_queue_health()), duties (list_maintenance_duties())",
		func(ctx context.Context, _ []string) error {
			e, err := a.executor(ctx)
			if err != nil {
				return err
			}
			report, now, err := readHealth(ctx, e)
			if err != nil {
				return err
			}
			if err := a.show(report, func() error { return a.printHealth(report, now) }); err != nil {
				return err
			}
			switch report.Severity {
			case judge.ActNow:
				return silent
			case judge.LookToday:
				return silentLook
			}
			return nil
		})
	return a.watched(command)
}

// readHealth reads the health of the system.
func readHealth(ctx context.Context, e *executor.SqlFunctionExecutor) (r healthReport, now time.Time, err error) {
	if r.Verdict, err = judge.ReadVerdict(ctx, e); err != nil {
		return r, now, err
	}
	if r.Counts, err = e.GetSystemHealthCounts(ctx); err != nil {
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
		r.Refused = []gen.RefusedProgram{}
	}
	if r.Diverged == nil {
		r.Diverged = []gen.DivergedTemplate{}
	}
	if r.Queues == nil {
		r.Queues = []gen.QueueHealth{}
	}
	r.Healthy, r.Score = r.Severity == judge.Well, r.Counts.HealthScore()
	r.Notes = append(healthNotes(r.Counts), append(divergedNotes(r.Diverged), refusedNotes(r.Refused)...)...)
	return r, now, nil
}

// healthIncidents is how many incidents health shows.
const healthIncidents = 10

// standbyNote returns a note that the server is a standby, with its lag.
func standbyNote(c executor.SystemHealthCounts) string {
	if c.StandbyLagSeconds == nil {
		return "This server is a standby; it is not known how far it is behind its primary."
	}
	return fmt.Sprintf("This server is a standby, %s behind its primary.", took(*c.StandbyLagSeconds))
}

// divergedNotes returns a note for each version whose steps wait for a program with the same types, with the digests of the
// types.
func divergedNotes(diverged []gen.DivergedTemplate) (notes []string) {
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

// refusedNotes returns a note for each program that was refused because another program registered the version.
func refusedNotes(refused []gen.RefusedProgram) (notes []string) {
	for _, p := range refused {
		notes = append(notes, fmt.Sprintf("%s/%s: %s", p.Namespace, p.Name, p.Finding))
	}
	return notes
}

// healthNotes returns notes on things that wait for a person although nothing is wrong.
func healthNotes(c executor.SystemHealthCounts) []string {
	notes := []string{}
	if n := int(c.BlockedByFailuresTasks); n > 0 {
		notes = append(notes, count(n, "task")+" blocked by failures: tasker task list --state blocked_by_failures")
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
	color := term.Green
	switch r.Severity {
	case judge.ActNow:
		color = term.Red
	case judge.LookToday:
		color = term.Yellow
	}
	if err := a.out.Say("%s: %s\n", a.out.Paint(severityWord(r.Severity), color), term.Clean(r.Sentence)); err != nil {
		return err
	}
	for n, i := range r.Incidents {
		if n == healthIncidents {
			if err := a.out.Say("  %d more: tasker incidents list\n", len(r.Incidents)-n); err != nil {
				return err
			}
			break
		}
		mark, color := "·", term.Dim
		switch i.Severity {
		case judge.ActNow:
			mark, color = "!", term.Red
		case judge.LookToday:
			color = term.Yellow
		}
		if err := a.out.Say("%s %s\n  since %s: %s\n", a.out.Paint(mark, color), term.Clean(i.What), term.Clean(a.when(&i.Since, now)), term.Clean(i.NextStep)); err != nil {
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

// counted joins pairs of a number and a noun to a text. It omits pairs with the number 0.
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
