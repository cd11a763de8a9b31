package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/direct"
)

func (a *app) maintainCommand() *cobra.Command {
	var all bool
	var command *cobra.Command
	command = a.leaf(cobra.Command{
		Use:   "maintain [DUTY...]",
		Short: "Run the maintenance duties that are due, or the named duties",
		Long: fmt.Sprintf(`Run the maintenance duties that are due, or the named duties whether or not they are due. The
duties create partitions ahead, drop old partitions, and see to totals and reports, stale tasks, garbage and statistics.
tasker orchestrate and pg_cron run them, too. This command is for other schedulers, and for people. docs/operations.md has the
list.

A duty that needs several transactions, such as dropping partitions, has several rows. A duty is skipped while another session
runs it. The exit code is %d if a duty failed. A failed duty is rolled back, and stays due.`, exitNo),
		Example: "  tasker maintain\n  tasker maintain retention identities archives\n  tasker maintain --all",
	}, "an array of tasker.maintenance_duties: run_maintenance(), call by call",
		func(ctx context.Context, duties []string) error {
			if all && len(duties) > 0 {
				return usage(command, "--all takes no names")
			}
			e, err := a.executor(ctx)
			if err != nil {
				return err
			}
			if all {
				list, err := e.ListMaintenanceDuties(ctx)
				if err != nil {
					return err
				}
				for _, duty := range list {
					duties = append(duties, duty.Duty)
				}
			}
			return a.maintain(ctx, &direct.Executor{SqlFunctionExecutor: e}, duties)
		})
	command.Flags().BoolVar(&all, "all", false, "all duties, whether or not they are due")
	return command
}

func (a *app) partitionMaintain() *cobra.Command {
	return a.leaf(cobra.Command{
		Use:   "maintain",
		Short: "Create partitions ahead, drop old partitions, and collect their remains",
		Long: "Run the maintenance duties for partitions, whether or not they are due:\n" +
			strings.Join(growthDuties, ", ") + ".",
	}, "an array of tasker.maintenance_duties: run_maintenance(), call by call",
		func(ctx context.Context, _ []string) error {
			e, err := a.executor(ctx)
			if err != nil {
				return err
			}
			return a.maintain(ctx, &direct.Executor{SqlFunctionExecutor: e}, growthDuties)
		})
}

// growthDuties are the maintenance duties that create and drop partitions and clean up after them.
var growthDuties = []string{"partitions", "retention", "identities", "archives", "statistics"}

// maintain runs duties and prints their outcomes. If a duty failed, it returns an error that prints nothing more.
func (a *app) maintain(ctx context.Context, e *direct.Executor, duties []string) error {
	done, err := e.Maintain(ctx, duties...)
	if err != nil {
		return err
	}
	if err := a.printDuties(done); err != nil {
		return err
	}
	for _, duty := range done {
		if duty.LastError != nil {
			return silent
		}
	}
	return nil
}

func (a *app) printDuties(duties []gen.MaintenanceDuty) error {
	return list(a, duties, "nothing is due, or another session is at it", term.NewTable("DUTY", "DONE", "DETAIL"),
		func(duty gen.MaintenanceDuty) []term.Cell {
			done, detail := "", term.Text(text(duty.LastDetail))
			if duty.LastDone != nil {
				done = fmt.Sprint(*duty.LastDone)
			}
			if duty.LastError != nil {
				detail = term.Colored(*duty.LastError, term.Red)
			}
			return []term.Cell{term.Text(duty.Duty), term.Text(done), detail}
		})
}
