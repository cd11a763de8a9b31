package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

func (a *app) dlqCommands() *cobra.Command {
	return a.group("dlq", "Look into the dead-letter queue: tasks that made no progress, and what became of them", "",
		a.dlqList(), a.dlqShow(), a.dlqCreate(), a.dlqResolve(), a.dlqRequeue(), a.dlqDashboard())
}

// anyStatus is the value of --status that stands for all statuses.
const anyStatus = "any"

func (a *app) dlqList() *cobra.Command {
	var (
		status, reason, namespace, task, before string
		limit                                   int32
	)
	command := a.leaf(cobra.Command{
		Use:     "list",
		Short:   "List investigations, newest first",
		Example: "  tasker dlq list\n  tasker dlq list --status any --for staleness_timeout --namespace shop",
	}, "an array of tasker.dlq_entries: list_dlq_entries()", func(ctx context.Context, _ []string) error {
		filter := sqlfn.ListDLQEntriesParams{Reason: reason, Namespace: namespace, Limit: limit}
		if status != anyStatus {
			filter.ResolutionStatus = status
		}
		var err error
		if filter.TaskUUID, err = a.findTaskOption(ctx, "task", task); err != nil {
			return err
		}
		if before != "" {
			id, err := a.findEntry(ctx, "--before", before)
			if err != nil {
				return err
			}
			filter.Before = id
		}
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		entries, err := e.ListDLQEntries(ctx, filter)
		if err != nil {
			return err
		}
		table := term.NewTable("ENTRY", "TASK", "TEMPLATE", "REASON", "STATUS", "TASK IS", "FOR").Yield("STATUS", "TASK IS", "FOR")
		return list(a, entries, "there are no such investigations", table, func(d gen.DLQEntry) []term.Cell {
			now := "dropped"
			color := term.Dim
			if d.CurrentState != nil {
				now, color = string(*d.CurrentState), taskColor(*d.CurrentState)
			}
			return []term.Cell{
				a.id(d.DLQEntryUUID), a.taskID(d.TaskUUID), term.Text(templateOf(d)), term.Text(d.DLQReason),
				dlqStatus(d), term.Colored(now, color), term.Text(minutes(d.MinutesInDLQ)),
			}
		})
	})
	flags := command.Flags()
	flags.StringVarP(&status, "status", "s", "pending", "with this status: pending, manually_resolved, permanently_failed, cancelled or any")
	flags.StringVar(&reason, "for", "", "for this reason: staleness_timeout, max_retries_exceeded, dependency_cycle_detected, worker_unavailable or manual_dlq")
	flags.StringVarP(&namespace, "namespace", "n", "", "of this namespace")
	flags.StringVar(&task, "task", "", "of this task")
	flags.StringVar(&before, "before", "", "older than this entry, the last entry of the preceding page")
	flags.Int32VarP(&limit, "limit", "l", 50, "how many at most")
	a.completeFlag(command, "namespace", a.namespaces)
	return a.watched(command)
}

func templateOf(d gen.DLQEntry) string {
	if d.TaskName == nil {
		return ""
	}
	return join("/", text(d.NamespaceName), *d.TaskName) + "@" + text(d.TaskVersion)
}

func dlqStatus(d gen.DLQEntry) term.Cell {
	switch d.ResolutionStatus {
	case "pending":
		return term.Colored(d.ResolutionStatus, term.Yellow)
	case executor.DLQPermanentlyFailed:
		return term.Colored(d.ResolutionStatus, term.Red)
	}
	return term.Text(d.ResolutionStatus)
}

// minutes formats a time in minutes.
func minutes(m float64) string { return span(time.Duration(m * float64(time.Minute))) }

func (a *app) dlqShow() *cobra.Command {
	return a.leaf(cobra.Command{
		Use:   "show ENTRY",
		Short: "Show an investigation; --json includes the snapshot of the task at its beginning",
	}, "an object of tasker.dlq_entries: get_dlq_entry()", func(ctx context.Context, args []string) error {
		id, err := a.findEntry(ctx, "ENTRY", args[0])
		if err != nil {
			return err
		}
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		entry, err := e.GetDLQEntry(ctx, id)
		if err != nil {
			return err
		}
		now, err := e.Clock(ctx)
		if err != nil {
			return err
		}
		return a.show(entry, func() error {
			current := "dropped by retention"
			if entry.CurrentState != nil {
				current = string(*entry.CurrentState)
			}
			return term.Fields(a.out,
				"entry", entry.DLQEntryUUID.String(),
				"task", entry.TaskUUID.String(),
				"template", templateOf(entry),
				"reason", entry.DLQReason,
				"status", entry.ResolutionStatus,
				"began", a.when(&entry.DLQTimestamp, now),
				"task was", string(entry.OriginalState),
				"task is", current,
				"ended", a.when(entry.ResolutionTimestamp, now),
				"by", text(entry.ResolvedBy),
				"notes", text(entry.ResolutionNotes),
				"metadata", compact(entry.Metadata),
			)
		})
	})
}

func (a *app) dlqCreate() *cobra.Command {
	var reason, notes, metadata string
	command := a.leaf(cobra.Command{
		Use:   "create TASK",
		Short: "Begin an investigation of a task, with a snapshot of it; the task itself continues",
		Long: `Begin an investigation of a task, with a snapshot of it as it is now: its steps, edges and history. The task
itself continues. If an investigation of the task is already open, the command returns that investigation.`,
		Example: `  tasker dlq create 5b1d2c3a --notes 'charged twice?' --metadata '{"ticket": 7}'`,
	}, "an object of tasker.dlq_entries: get_dlq_entry()", func(ctx context.Context, args []string) error {
		task, err := a.findTask(ctx, "TASK", args[0])
		if err != nil {
			return err
		}
		params := sqlfn.CreateDLQEntryParams{TaskUUID: task, Reason: reason, Notes: notes}
		if params.Metadata, err = a.readObject("metadata", metadata); err != nil {
			return err
		}
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		id, err := e.CreateDLQEntry(ctx, params)
		if err != nil {
			return err
		}
		entry, err := e.GetDLQEntry(ctx, id)
		if err != nil {
			return err
		}
		return a.show(entry, func() error {
			return a.out.Say("%s entry %s is %s, task %s is %s\n",
				a.out.Paint("done:", term.Green), id, entry.ResolutionStatus, entry.TaskUUID, text(entry.CurrentState))
		})
	})
	flags := command.Flags()
	flags.StringVar(&reason, "for", "", "staleness_timeout, max_retries_exceeded, dependency_cycle_detected, worker_unavailable or manual_dlq (default manual_dlq)")
	flags.StringVar(&notes, "notes", "", "what is known so far, for the record")
	flags.StringVar(&metadata, "metadata", "", "further facts as a JSON object; @FILE reads a file, - standard input")
	return command
}

// dlqOutcome is the JSON of a change.
type dlqOutcome struct {
	// Changed is false if the investigation had ended already.
	Changed bool `json:"changed"`
	gen.DLQEntry
}

// dlqChange returns the command that ends an investigation.
func (a *app) dlqChange(
	command cobra.Command, change func(e *executor.SqlFunctionExecutor, ctx context.Context, entry uuid.UUID, notes string, by ...executor.By) (bool, error),
) *cobra.Command {
	var notes string
	leaf := a.leaf(command, "an object of tasker.dlq_entries, and changed (false if it had ended already)",
		func(ctx context.Context, args []string) error {
			id, err := a.findEntry(ctx, "ENTRY", args[0])
			if err != nil {
				return err
			}
			e, err := a.executor(ctx)
			if err != nil {
				return err
			}
			changed, err := change(e, ctx, id, notes, a.act)
			if err != nil {
				return err
			}
			entry, err := e.GetDLQEntry(ctx, id)
			if err != nil {
				return err
			}
			return a.show(dlqOutcome{changed, entry}, func() error {
				verb := a.out.Paint("done:", term.Green)
				if !changed {
					verb = "nothing to do:"
				}
				task := "is dropped"
				if entry.CurrentState != nil {
					task = "is " + string(*entry.CurrentState)
				}
				return a.out.Say("%s entry %s is %s, task %s %s\n", verb, id, entry.ResolutionStatus, entry.TaskUUID, task)
			})
		})
	leaf.Flags().StringVar(&notes, "notes", "", "what was found, for the record")
	leaf.Flags().StringVar(&a.act.Actor, "actor", "", "who, for the record (default the database role)")
	return leaf
}

func (a *app) dlqResolve() *cobra.Command {
	var as string
	command := a.dlqChange(cobra.Command{
		Use:     "resolve ENTRY",
		Short:   "End an investigation; the task itself stays as it is",
		Example: "  tasker dlq resolve 5b1d2c3a --as permanently_failed --notes 'the supplier is gone'",
	}, func(e *executor.SqlFunctionExecutor, ctx context.Context, entry uuid.UUID, notes string, by ...executor.By) (bool, error) {
		return e.ResolveDLQEntry(ctx, entry, as, notes, by...)
	})
	command.Flags().StringVar(&as, "as", executor.DLQManuallyResolved, "how it ends: manually_resolved, permanently_failed or cancelled")
	return command
}

func (a *app) dlqRequeue() *cobra.Command {
	var many manyEntries
	command := a.dlqChange(cobra.Command{
		Use:   "requeue [ENTRY]",
		Short: "End an investigation, or all investigations that match a filter, and run the tasks again",
		Long: fmt.Sprintf(`End an investigation and run its task again: failed steps start again, complete steps stay complete.

Without ENTRY, requeue all open investigations that match every given filter, the oldest first. --all takes every open
investigation. --dry-run lists the investigations and their number. The command needs --notes, and asks before it begins
unless --yes is given. A transaction has %d entries, so an interrupted command has requeued the oldest entries. Tasks that
another transaction holds, and tasks that cannot run again, are skipped and listed.`, bulkBatch),
		Example: `  tasker dlq requeue 5b1d2c3a --notes 'the supplier is back'
  tasker dlq requeue --for worker_unavailable --dry-run
  tasker dlq requeue --for worker_unavailable --notes 'workers run again'`,
	}, (*executor.SqlFunctionExecutor).RequeueDLQEntry)
	one := command.RunE
	command.RunE = func(command *cobra.Command, args []string) error {
		if len(args) == 0 {
			a.ran = true
			return a.requeueMany(command.Context(), command, &many)
		}
		if name := many.given(command); name != "" {
			return usage(command, "--%s goes without ENTRY", name)
		}
		return one(command, args)
	}
	many.flags(a, command)
	return command
}

func (a *app) dlqDashboard() *cobra.Command {
	return a.leaf(cobra.Command{
		Use:   "dashboard",
		Short: "Count the investigations by reason and status",
	}, "an array of tasker.dlq_reasons: get_dlq_dashboard()", func(ctx context.Context, _ []string) error {
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		reasons, err := e.GetDLQDashboard(ctx)
		if err != nil {
			return err
		}
		table := term.NewTable("REASON", "ALL", "PENDING", "RESOLVED", "FAILED", "CANCELLED", "OLDEST", "NEWEST", "TOOK").Yield("OLDEST", "TOOK", "NEWEST")
		return list(a, reasons, "the dead-letter queue has never had an entry", table, func(r gen.DLQReasonCounts) []term.Cell {
			mean := ""
			if r.AvgResolutionMinutes != nil {
				mean = minutes(*r.AvgResolutionMinutes)
			}
			return []term.Cell{
				term.Text(r.DLQReason), term.Number(r.TotalEntries), term.Number(r.Pending), term.Number(r.ManuallyResolved),
				term.Number(r.PermanentlyFailed), term.Number(r.Cancelled), term.Text(a.at(r.OldestEntry)).Uncut(),
				term.Text(a.at(r.NewestEntry)).Uncut(), term.Text(mean),
			}
		})
	})
}
