package cli

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/tasklib"
)

const erasedRows = "an object: counts (how many of each outcome), changes (an array of tasker.task_erasures: erase_task(), erase_tasks())"

// eraseFilters has the filters of an erasure of many tasks.
type eraseFilters struct {
	namespace, name, version, key, since, until string
	tags                                        []string
}

var eraseFlags = []string{"tag", "key", "namespace", "name", "version", "since", "until"}

func (f *eraseFilters) flags(a *app, command *cobra.Command) {
	flags := command.Flags()
	flags.StringSliceVarP(&f.tags, "tag", "t", nil, "with this tag; given more than once, with all of them")
	flags.StringVar(&f.key, "key", "", "created with this identity key")
	flags.StringVarP(&f.namespace, "namespace", "n", "", "of this namespace")
	flags.StringVar(&f.name, "name", "", "of templates of this name")
	flags.StringVar(&f.version, "version", "", "of templates of this version")
	flags.StringVar(&f.since, "since", "", "requested at this time or later: 2h ago, or 2026-01-31T12:00:00Z")
	flags.StringVar(&f.until, "until", "", "requested before this time")
	a.completeFlag(command, "namespace", a.namespaces)
}

func (a *app) taskErase() *cobra.Command {
	var (
		b        because
		filters  eraseFilters
		many     bulk
		children bool
		command  *cobra.Command
	)
	command = a.leaf(cobra.Command{
		Use:   "erase [TASK]",
		Short: "Erase the data of a task that has ended, or of all tasks that match a filter, for good",
		Long: fmt.Sprintf(`Erase the context, results, errors, signals and all other data that callers passed, of a task that
has ended. States, times, counts and the names of steps stay. A digest of the erased data stays, too: see "tasker task
erasures". --children erases the tasks that its steps started, too. The data cannot be restored, but backups and subscribers
may still have copies.

Without TASK, all tasks that match every given filter are erased, the oldest first. --dry-run lists the tasks and their
number. The command needs a reason, and asks before it begins unless --yes is given. A transaction has %d tasks, so an
interrupted command has erased the oldest tasks. Open tasks, and tasks that another transaction holds, are skipped and
listed.`, bulkBatch),
		Example: `  tasker task erase 5b1d2c3a --reason 'request 17 of the customer'
  tasker task erase --tag customer:42 --children --dry-run
  tasker task erase --key order-7 --reason 'request 17 of the customer' --yes`,
	}, erasedRows, func(ctx context.Context, args []string) error {
		if len(args) == 0 {
			return a.eraseMany(ctx, command, &many, filters, children, b)
		}
		if name := given(command, append([]string{"limit", "dry-run"}, eraseFlags...)...); name != "" {
			return usage(command, "--%s goes without TASK", name)
		}
		task, err := a.findTask(ctx, "TASK", args[0])
		if err != nil {
			return err
		}
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		if err := a.begin(command, &many, b.reason, "reason", 1, fmt.Sprintf("the data of task %s is erased for good", task)); err != nil {
			return err
		}
		rows, err := e.EraseTask(ctx, sqlfn.EraseTaskParams{TaskUUID: task, Children: children, Reason: b.reason, Actor: b.actor})
		if err != nil {
			return err
		}
		return a.printErasures(rows)
	})
	b.flags(command)
	filters.flags(a, command)
	many.flags(command, "tasks")
	command.Flags().BoolVar(&children, "children", false, "erase the tasks that the steps started, too")
	return command
}

// eraseMany erases all tasks that match.
func (a *app) eraseMany(ctx context.Context, command *cobra.Command, many *bulk, f eraseFilters, children bool, b because) error {
	if given(command, eraseFlags...) == "" {
		err := usage(command, "%s lacks TASK, or a filter", command.CommandPath())
		err.Hint = "For example --tag customer:42 --dry-run, which shows the tasks that it would erase."
		return err
	}
	e, err := a.executor(ctx)
	if err != nil {
		return err
	}
	now, err := e.Clock(ctx)
	if err != nil {
		return err
	}
	params := sqlfn.EraseTasksParams{
		Reason: b.reason, Actor: b.actor, Tags: f.tags, Key: f.key, Namespace: f.namespace, Name: f.name, Version: f.version,
		Children: children, DryRun: true,
	}
	if params.RequestedAfter, err = parseTime("since", f.since, now, -1); err != nil {
		return err
	}
	if params.RequestedBefore, err = parseTime("until", f.until, now, -1); err != nil {
		return err
	}
	found, err := batches(many.limit, bulkFound, erasing(ctx, e, params))
	if err != nil {
		return err
	}
	erased := tally(found, erasureOutcome)["matched"]
	if err := a.begin(command, many, b.reason, "reason", erased, fmt.Sprintf("the data of %s is erased for good", count(erased, "task"))); err != nil {
		return err
	}
	if !many.dryRun && erased > 0 {
		params.DryRun = false
		if found, err = batches(many.limit, bulkBatch, erasing(ctx, e, params)); err != nil {
			return err
		}
	}
	return a.printErasures(found)
}

// erasing returns a function that erases the next batch of tasks.
func erasing(
	ctx context.Context, e *executor.SqlFunctionExecutor, params sqlfn.EraseTasksParams,
) func(size int32, last *gen.TaskErasure) ([]gen.TaskErasure, error) {
	return func(size int32, last *gen.TaskErasure) ([]gen.TaskErasure, error) {
		params.Limit = size
		if last != nil {
			params.After = last.RootUUID
		}
		return e.EraseTasks(ctx, params)
	}
}

func erasureOutcome(r gen.TaskErasure) string { return r.Outcome }

func (a *app) printErasures(rows []gen.TaskErasure) error {
	table := term.NewTable("TASK", "TEMPLATE", "STATE", "STEPS", "OUTCOME").Yield("STATE", "STEPS")
	return printBulk(a, rows, table, erasureOutcome, func(r gen.TaskErasure) []term.Cell {
		return []term.Cell{
			a.taskID(r.TaskUUID), term.Text(r.Namespace + "/" + r.Name + "@" + r.Version),
			term.Colored(string(r.State), taskColor(r.State)).Uncut(), term.Text(fmt.Sprint(r.TotalSteps)), outcomeCell(r.Outcome),
		}
	}, "matched", "erased", "already", "open", "noted", "acted_on", "locked")
}

func (a *app) taskErasures() *cobra.Command {
	var (
		namespace string
		limit     int32
	)
	command := a.leaf(cobra.Command{
		Use:   "erasures [TASK]",
		Short: "List the tasks whose data was erased, the newest first: who erased them, and why",
	}, "an array of tasker.erasure_details: list_erasures()", func(ctx context.Context, args []string) error {
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		params := sqlfn.ListErasuresParams{Namespace: namespace, Limit: limit}
		if len(args) > 0 {
			// Retention may have dropped the task. Then its whole UUID still finds the erasure.
			if params.TaskUUID, err = uuid.Parse(args[0]); err != nil {
				if params.TaskUUID, err = a.findTask(ctx, "TASK", args[0]); err != nil {
					return err
				}
			}
		}
		rows, err := e.ListErasures(ctx, params)
		if err != nil {
			return err
		}
		table := term.NewTable("TASK", "NAMESPACE", "ERASED", "BY", "REASON", "DIGEST").Yield("DIGEST", "REASON", "BY")
		return list(a, rows, "no task was erased", table, func(r gen.ErasureDetail) []term.Cell {
			return []term.Cell{
				a.taskID(r.TaskUUID), term.Text(r.Namespace), term.Text(r.ErasedAt.UTC().Format("2006-01-02 15:04")), term.Text(r.ErasedBy), term.Text(r.Reason),
				term.Text(r.Digest[:16]),
			}
		})
	})
	command.Flags().StringVarP(&namespace, "namespace", "n", "", "of this namespace")
	command.Flags().Int32VarP(&limit, "limit", "l", 50, "how many at most")
	a.completeFlag(command, "namespace", a.namespaces)
	return command
}

func (a *app) jobErase() *cobra.Command {
	var reason string
	command := a.jobChange(cobra.Command{
		Use:   "erase JOB",
		Short: "Erase the arguments, result and errors of a job that has ended, for good",
	}, func(ctx context.Context, f *tasklib.Functions, id uuid.UUID) (bool, error) {
		return f.EraseTask(ctx, id, reason)
	})
	command.Flags().StringVarP(&reason, "reason", "r", "", "why, for the record; required")
	return command
}
