package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

func (a *app) auditCommands() *cobra.Command {
	return a.group("audit", "Show who recorded which result, and prove that history was not altered", "",
		a.auditStep(), a.auditTask(), a.auditWorker(), a.auditCorrelation(), a.auditRange(), a.auditChanges(), a.auditCheck())
}

func (a *app) auditChanges() *cobra.Command {
	var arg sqlfn.ListAdministrationParams
	command := a.leaf(cobra.Command{
		Use:   "changes",
		Short: "Show changes of things other than tasks: settings, bindings, tokens, templates, limits, schedules, …",
		Long: `Show changes of things other than tasks, the newest first: settings, bindings, tokens, templates, limits,
schedules, subscriptions, namespaces, partitions, queues. --json has each object before and after the change.`,
		Example: "  tasker audit changes --kind limits --object shop/api",
	}, "an array of tasker.administration_entries: list_administration()", func(ctx context.Context, _ []string) error {
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		entries, err := e.ListAdministration(ctx, arg)
		if err != nil {
			return err
		}
		at, cell := a.timeColumn("TIME", each(entries, func(l gen.AdministrationEntry) time.Time { return l.LoggedAt }))
		table := term.NewTable(at, "KIND", "OBJECT", "ACTION", "BY", "LOGIN", "CALL", "REASON").Yield("CALL", "LOGIN")
		return list(a, entries, "nothing has changed", table, func(l gen.AdministrationEntry) []term.Cell {
			return []term.Cell{
				cell(l.LoggedAt), term.Text(l.Kind), term.Text(l.Object), term.Text(l.Action), term.Text(text(l.Actor)),
				term.Text(join(", ", login(&l.Login, l.Role), token(l.Token))), term.Text(text(l.Call)), term.Text(text(l.Reason)),
			}
		})
	})
	command.Flags().StringVar(&arg.Kind, "kind", "", "only changes of this kind, such as limits or queues: the name of a table")
	command.Flags().StringVar(&arg.Object, "object", "", "only changes of this object, such as shop/nightly")
	command.Flags().Int64Var(&arg.Before, "before", 0, "only changes older than the change with this entry_no")
	command.Flags().Int32VarP(&arg.Limit, "limit", "l", 100, "how many at most")
	return command
}

// token returns the token of tasker serve that made a change, or the person who made it after a sign-in.
func token(name *string) string {
	if name == nil {
		return ""
	}
	if strings.HasPrefix(*name, "person ") {
		return *name
	}
	return "token " + *name
}

const auditRows = "an array of tasker.step_audits: "

// printAudits lists results. ofTask is true if all results belong to one task.
func (a *app) printAudits(audits []gen.StepAudit, ofTask bool) error {
	at, cell := a.timeColumn("TIME", each(audits, func(s gen.StepAudit) time.Time { return s.RecordedAt }))
	heading := []string{at, "TASK", "STEP", "RESULT", "CLAIM", "TOOK", "BY", "LOGIN", "WHAT"}
	if ofTask {
		heading = append(heading[:1], heading[2:]...)
	}
	return list(a, audits, "no results were recorded", term.NewTable(heading...).Yield("CLAIM", "LOGIN", "TOOK", "BY"), func(s gen.StepAudit) []term.Cell {
		verdict := term.Colored("success", term.Green)
		if !s.Success {
			verdict = term.Colored("failure", term.Red)
		}
		duration := ""
		if s.ExecutionTimeMs != nil {
			duration = took(float64(*s.ExecutionTimeMs) / 1000)
		}
		row := []term.Cell{cell(s.RecordedAt)}
		if !ofTask {
			row = append(row, a.taskID(s.TaskUUID))
		}
		return append(row,
			term.Text(s.StepName), verdict, term.Number(s.ClaimNo), term.Text(duration), term.Text(recorder(s)),
			term.Text(login(s.Login, s.Role)), term.Text(join(": ", text(s.Reason), text(s.Error))),
		)
	})
}

// recorder returns the author of a result: a person, or a worker by its name or short id.
func recorder(s gen.StepAudit) string {
	switch {
	case s.WorkerName != nil:
		return workerName(*s.WorkerName)
	case s.WorkerUUID != nil:
		return shortID(*s.WorkerUUID)
	}
	return text(s.Actor)
}

// login returns the role that was logged in, and the role that it had set.
func login(name, role *string) string {
	if role == nil {
		return text(name)
	}
	return text(name) + " as " + *role
}

func (a *app) auditStep() *cobra.Command {
	return a.leaf(cobra.Command{
		Use:     "step STEP|TASK [NAME]",
		Short:   "Show every result that was recorded for a step, in order",
		Example: "  tasker audit step 0199d0c4-7a11-7c3e-8f00-5b1d2c3a0000 charge",
	}, auditRows+"get_step_audit_history()", func(ctx context.Context, args []string) error {
		step, err := a.findStepBy(ctx, args, true)
		if err != nil {
			return err
		}
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		audits, err := e.GetStepAuditHistory(ctx, step.WorkflowStepUUID)
		if err != nil {
			return err
		}
		return a.printAudits(audits, true)
	})
}

// auditBy returns the command that lists the results of the thing with a UUID.
func (a *app) auditBy(
	command cobra.Command, rows, what string, ofTask bool,
	find func(ctx context.Context, what, text string) (uuid.UUID, error),
	read func(e *executor.SqlFunctionExecutor, ctx context.Context, id uuid.UUID, limit int32) ([]gen.StepAudit, error),
) *cobra.Command {
	var limit int32
	leaf := a.leaf(command, auditRows+rows, func(ctx context.Context, args []string) error {
		id, err := find(ctx, what, args[0])
		if err != nil {
			return err
		}
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		audits, err := read(e, ctx, id, limit)
		if err != nil {
			return err
		}
		return a.printAudits(audits, ofTask)
	})
	leaf.Flags().Int32VarP(&limit, "limit", "l", 100, "how many at most")
	return leaf
}

func (a *app) auditTask() *cobra.Command {
	return a.auditBy(cobra.Command{
		Use:   "task TASK",
		Short: "Show every result that was recorded for a task's steps, in the order of time",
	}, "get_task_audit_history()", "TASK", true,
		func(ctx context.Context, what, text string) (uuid.UUID, error) {
			return a.findTaskBy(ctx, what, text, true)
		},
		func(e *executor.SqlFunctionExecutor, ctx context.Context, id uuid.UUID, limit int32) ([]gen.StepAudit, error) {
			return e.GetTaskAuditHistory(ctx, id, limit)
		})
}

func (a *app) auditWorker() *cobra.Command {
	return a.auditBy(cobra.Command{
		Use:   "worker WORKER",
		Short: "Show the results that a worker recorded, newest first",
	}, "get_audit_by_worker()", "WORKER", false, a.findWorker,
		func(e *executor.SqlFunctionExecutor, ctx context.Context, id uuid.UUID, limit int32) ([]gen.StepAudit, error) {
			return e.GetAuditByWorker(ctx, id, limit)
		})
}

func (a *app) auditCorrelation() *cobra.Command {
	return a.auditBy(cobra.Command{
		Use:   "correlation CORRELATION",
		Short: "Show the results of all tasks of one correlation id: a request that went through several tasks",
	}, "get_audit_by_correlation_id()", "CORRELATION", false,
		func(_ context.Context, what, text string) (uuid.UUID, error) {
			return parseUUIDFrom(what, text, "tasker task show prints it where it is not the task's own.")
		},
		func(e *executor.SqlFunctionExecutor, ctx context.Context, id uuid.UUID, limit int32) ([]gen.StepAudit, error) {
			return e.GetAuditByCorrelationID(ctx, id, limit)
		})
}

func (a *app) auditRange() *cobra.Command {
	var (
		since, until, namespace string
		succeeded, failed       bool
		limit, offset           int32
	)
	command := a.leaf(cobra.Command{
		Use:     "range",
		Short:   "Show which worker recorded which result in a period, newest first",
		Example: "  tasker audit range --since 1h --failed\n  tasker audit range --since 2026-01-31T12:00:00Z --until 2026-01-31T13:00:00Z",
	}, auditRows+"get_audit_by_time_range()", func(ctx context.Context, _ []string) error {
		if succeeded && failed {
			return &problem{Exit: exitUsage, Message: "--succeeded and --failed exclude each other"}
		}
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		now, err := e.Clock(ctx)
		if err != nil {
			return err
		}
		filter := sqlfn.GetAuditByTimeRangeParams{Namespace: namespace, Limit: limit, Offset: offset}
		if succeeded || failed {
			filter.Success = &succeeded
		}
		from, err := parseTime("since", since, now, -1)
		if err != nil {
			return err
		}
		if from.IsZero() {
			return &problem{Exit: exitUsage, Message: "--since is not empty"}
		}
		filter.Since = from
		if filter.Until, err = parseTime("until", until, now, -1); err != nil {
			return err
		}
		audits, err := e.GetAuditByTimeRange(ctx, filter)
		if err != nil {
			return err
		}
		return a.printAudits(audits, false)
	})
	flags := command.Flags()
	flags.StringVar(&since, "since", "24h", "only results since this time: 2h ago, or 2026-01-31T12:00:00Z")
	flags.StringVar(&until, "until", "", "only results before this time")
	flags.StringVarP(&namespace, "namespace", "n", "", "of this namespace")
	flags.BoolVar(&succeeded, "succeeded", false, "only successes")
	flags.BoolVar(&failed, "failed", false, "only failures")
	flags.Int32VarP(&limit, "limit", "l", 100, "how many at most")
	flags.Int32Var(&offset, "offset", 0, "how many results to skip")
	a.completeFlag(command, "namespace", a.namespaces)
	return a.watched(command)
}

func (a *app) auditCheck() *cobra.Command {
	var (
		since, until string
		limit        int32
	)
	command := a.leaf(cobra.Command{
		Use:   "check",
		Short: "Prove that no result lacks its audit row and that history was not altered",
		Long: fmt.Sprintf(`Prove that no result lacks its audit row and that history was not altered, for the tasks created in
a period. It checks that triggers guard all logs, that each log leads without gaps to the state of its task or step, and that
the audit agrees with the log. It cannot detect a superuser who changes all of them consistently.

The exit code is %d if something is wrong. It reads the partitions of the period.`, exitNo),
		Example: "  tasker audit check --since 24h",
	}, "an array of tasker.integrity_problems: check_integrity()", func(ctx context.Context, _ []string) error {
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
		to, err := parseTime("until", until, now, -1)
		if err != nil {
			return err
		}
		problems, err := e.CheckIntegrity(ctx, from, to, limit)
		if err != nil {
			return err
		}
		if len(problems) == 0 {
			return a.show([]gen.IntegrityProblem{}, func() error { return a.out.Print("nothing is wrong\n") })
		}
		table := term.NewTable("TASK", "STEP NO", "SORT KEY", "TABLE", "PROBLEM").Yield("SORT KEY", "STEP NO")
		if err := list(a, problems, "", table, func(p gen.IntegrityProblem) []term.Cell {
			task := term.Text("")
			if p.TaskUUID != nil {
				task = a.taskID(*p.TaskUUID)
			}
			return []term.Cell{
				task, numberOrNone(p.StepNo), numberOrNone(p.SortKey), term.Text(p.Object), term.Colored(p.Problem, term.Red),
			}
		}); err != nil {
			return err
		}
		return silent
	})
	flags := command.Flags()
	flags.StringVar(&since, "since", "", "tasks created at this time or later: 24h ago, or 2026-01-31T12:00:00Z (default all)")
	flags.StringVar(&until, "until", "", "tasks created before this time")
	flags.Int32VarP(&limit, "limit", "l", 1000, "how many problems at most")
	return command
}

// numberOrNone returns a cell for a number that may be missing.
func numberOrNone(n *int32) term.Cell {
	if n == nil {
		return term.Text("")
	}
	return term.Text(fmt.Sprint(*n))
}
