package cli

import (
	"context"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

func (a *app) runList() *cobra.Command {
	var most int32
	command := a.leaf(cobra.Command{
		Use:   "runs NAMESPACE[/TEMPLATE] [KEY]",
		Short: "List the tasks that have a place of their key, and the tasks that wait for a place",
		Long: `List the tasks of templates that bound how many of them run at once for each key (runs). The list has the tasks
that have a place of their key, and the tasks that wait for a place, in their order. See docs/howto/runs-by-key.md.`,
		Example: "  tasker task runs shop/import 7",
		Args:    cobra.RangeArgs(1, 2),
	}, "an array of tasker.run_details: list_runs()", func(ctx context.Context, args []string) error {
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		of := sqlfn.ListRunsParams{Limit: most}
		of.Namespace, of.Name, _ = strings.Cut(args[0], "/")
		if len(args) > 1 {
			of.RunKey = args[1]
		}
		runs, err := e.ListRuns(ctx, of)
		if err != nil {
			return err
		}
		table := term.NewTable("TEMPLATE", "KEY", "TASK", "RUN", "HELD BY", "STATE")
		return list(a, runs, "no task of a template with runs is open", table, func(r gen.RunDetail) []term.Cell {
			return []term.Cell{
				term.Text(r.Namespace + "/" + r.Name), term.Text(keyName(r.RunKey)), term.Text(r.TaskUUID.String()).Uncut(), term.Text(r.State),
				term.Text(text(r.HeldBy)), term.Text(string(r.TaskState)),
			}
		})
	})
	command.Flags().Int32VarP(&most, "limit", "l", 100, "how many tasks at most")
	return command
}

func (a *app) taskSkipRun() *cobra.Command {
	return a.taskOperation(cobra.Command{
		Use:   "skip-run TASK",
		Short: "Let the other tasks of a key continue without a task that has failed or is blocked",
	}, func(e *executor.SqlFunctionExecutor, ctx context.Context, task uuid.UUID, reason, actor string) (bool, error) {
		return e.SkipBlockedRun(ctx, task, reason, sqlfn.By{Actor: actor})
	})
}
