package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/executor"
)

func (a *app) maintainCommand() *cobra.Command {
	var all bool
	var command *cobra.Command
	command = a.leaf(cobra.Command{
		Use:   "maintain [JOB...]",
		Short: "Do the jobs of maintenance that are due, or those named",
		Long: fmt.Sprintf(`Run the maintenance jobs that are due, or those named whether or not they are due: partitions created ahead and
dropped when they are old, totals and reports, stale tasks, garbage, statistics. tasker orchestrate and pg_cron do
the same; this is for other schedulers, and for people. docs/operations.md has the list.

A job that needs several transactions, such as dropping partitions, has several rows. A job is skipped while another session
is at it. The exit code is %d if a job failed: it is undone, and due again.`, exitNo),
		Example: "  tasker maintain\n  tasker maintain retention identities archives\n  tasker maintain --all",
	}, "an array of tasker.maintenance_jobs: run_maintenance(), call by call",
		func(ctx context.Context, jobs []string) error {
			if all && len(jobs) > 0 {
				return usage(command, "--all takes no names")
			}
			e, err := a.executor(ctx)
			if err != nil {
				return err
			}
			if all {
				list, err := e.ListMaintenanceJobs(ctx)
				if err != nil {
					return err
				}
				for _, job := range list {
					jobs = append(jobs, job.Job)
				}
			}
			return a.maintain(ctx, e, jobs)
		})
	command.Flags().BoolVar(&all, "all", false, "all jobs, whether or not they are due")
	return command
}

func (a *app) partitionMaintain() *cobra.Command {
	return a.leaf(cobra.Command{
		Use:   "maintain",
		Short: "Make partitions ahead, drop old ones, and collect what is left of them",
		Long: "Run the maintenance jobs for partitions, whether or not they are due:\n" +
			strings.Join(growthJobs, ", ") + ".",
	}, "an array of tasker.maintenance_jobs: run_maintenance(), call by call",
		func(ctx context.Context, _ []string) error {
			e, err := a.executor(ctx)
			if err != nil {
				return err
			}
			return a.maintain(ctx, e, growthJobs)
		})
}

// growthJobs are the jobs of maintenance that make, drop and follow partitions.
var growthJobs = []string{"partitions", "retention", "identities", "archives", "statistics"}

// maintain does jobs and prints what came of them; it fails in silence if one did.
func (a *app) maintain(ctx context.Context, e *executor.SqlFunctionExecutor, jobs []string) error {
	done, err := e.Maintain(ctx, jobs...)
	if err != nil {
		return err
	}
	if err := a.printJobs(done); err != nil {
		return err
	}
	for _, job := range done {
		if job.LastError != nil {
			return silent
		}
	}
	return nil
}

func (a *app) printJobs(jobs []executor.MaintenanceJob) error {
	return list(a, jobs, "nothing is due, or another session is at it", term.NewTable("JOB", "DONE", "DETAIL"),
		func(job executor.MaintenanceJob) []term.Cell {
			done, detail := "", term.Text(text(job.LastDetail))
			if job.LastDone != nil {
				done = fmt.Sprint(*job.LastDone)
			}
			if job.LastError != nil {
				detail = term.Colored(*job.LastError, term.Red)
			}
			return []term.Cell{term.Text(job.Job), term.Text(done), detail}
		})
}
