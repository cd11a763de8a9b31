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

// manyCancels has the filters of a cancellation of many tasks.
type manyCancels struct {
	manyTasks
	selection string
}

func (m *manyCancels) flags(a *app, command *cobra.Command) {
	m.manyTasks.flags(a, command)
	state := command.Flags().Lookup("state")
	state.DefValue, m.state, state.Usage = "", "", "in this state (default any that is no end)"
	command.Flags().StringVar(&m.selection, "selection", "", "of this selection, without a further filter")
}

var manyCancelFlags = append([]string{"selection"}, manyTaskFlags...)

// taskCancel returns the command that cancels one task, or all tasks that match.
func (a *app) taskCancel() *cobra.Command {
	var many manyCancels
	command := a.taskOperation(cobra.Command{
		Use:   "cancel [TASK]",
		Short: "Cancel a task for good, or all open tasks that match a filter; results of running steps will be refused",
		Long: fmt.Sprintf(`Cancel a task for good, with every open step, running ones included. Results of running steps are refused. A task with
compensations is undone first.

Without TASK, all open tasks that match every filter given are cancelled, the oldest first. --dry-run shows which tasks and
how many. The command needs a reason, and asks before it begins unless --yes is given. A transaction has %d tasks, so an
interrupted command has cancelled the oldest tasks. Tasks that another transaction holds are skipped and listed.`, bulkBatch),
		Example: `  tasker task cancel 5b1d2c3a --reason 'the customer changed his mind'
  tasker task cancel --namespace shop --name order --since 2h --dry-run
  tasker task cancel --namespace shop --name order --since 2h --reason 'sold out'`,
	}, (*executor.SqlFunctionExecutor).CancelTask)
	command.Annotations[jsonAnnotation] = taskOutcome + "; with filters an object: counts (how many of each outcome), changes (an array of tasker.task_cancellations: cancel_tasks())"
	one := command.RunE
	command.RunE = func(command *cobra.Command, args []string) error {
		if len(args) == 0 {
			a.ran = true
			return a.cancelMany(command.Context(), command, &many, because{flagText(command, "reason"), flagText(command, "actor")})
		}
		if name := given(command, append([]string{"limit", "dry-run", "yes"}, manyCancelFlags...)...); name != "" {
			return usage(command, "--%s goes without TASK", name)
		}
		return one(command, args)
	}
	many.flags(a, command)
	return command
}

// cancelMany cancels all open tasks that match.
func (a *app) cancelMany(ctx context.Context, command *cobra.Command, m *manyCancels, b because) error {
	if given(command, manyCancelFlags...) == "" {
		err := usage(command, "%s lacks TASK, or a filter", command.CommandPath())
		err.Hint = "For example --namespace shop --dry-run, which shows the tasks that it would cancel."
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
	params := sqlfn.CancelTasksParams{
		Reason: b.reason, Actor: b.actor, State: m.state, Namespace: m.namespace,
		Name: m.name, Version: m.version, Tags: m.tags, DryRun: true,
	}
	if params.RequestedAfter, err = parseTime("since", m.since, now, -1); err != nil {
		return err
	}
	if params.RequestedBefore, err = parseTime("until", m.until, now, -1); err != nil {
		return err
	}
	if params.SelectionUUID, err = selectionGiven(m.selection); err != nil {
		return err
	}
	cancelling := func(size int32, last *gen.TaskCancellation) ([]gen.TaskCancellation, error) {
		params.Limit, params.After = size, uuid.Nil
		if last != nil {
			params.After = last.TaskUUID
		}
		return e.CancelTasks(ctx, params)
	}
	found, err := batches(m.limit, bulkFound, cancelling)
	if err != nil {
		return err
	}
	if err := a.begin(command, &m.bulk, b.reason, "reason", len(found), fmt.Sprintf("%s are cancelled for good", count(len(found), "task"))); err != nil {
		return err
	}
	if !m.dryRun && len(found) > 0 {
		params.DryRun = false
		if found, err = batches(m.limit, bulkBatch, cancelling); err != nil {
			return err
		}
	}
	return a.printCancellations(found, now)
}

// selectionGiven returns the selection that a flag names, or the zero UUID.
func selectionGiven(flag string) (uuid.UUID, error) {
	if flag == "" {
		return uuid.Nil, nil
	}
	return parseSelection(flag)
}

func (a *app) printCancellations(found []gen.TaskCancellation, now time.Time) error {
	table := term.NewTable("TASK", "TEMPLATE", "STATE", "AGE", "OUTCOME").Yield("STATE", "AGE")
	return printBulk(a, found, table, func(r gen.TaskCancellation) string { return r.Outcome }, func(r gen.TaskCancellation) []term.Cell {
		return []term.Cell{
			a.taskID(r.TaskUUID), term.Text(r.Namespace + "/" + r.Name + "@" + r.Version),
			term.Colored(string(r.State), taskColor(r.State)).Uncut(), term.Text(span(now.Sub(r.RequestedAt))), outcomeCell(r.Outcome),
		}
	}, "matched", "cancelled", "undoing", "locked", "ended")
}

// manyRetries has the filters of a retry of many steps.
type manyRetries struct {
	bulk
	state, namespace, name, version, step, error, selection string
}

var manyRetryFlags = []string{"namespace", "template", "version", "step", "error", "selection"}

func (m *manyRetries) flags(a *app, command *cobra.Command) {
	flags := command.Flags()
	flags.StringVarP(&m.namespace, "namespace", "n", "", "of this namespace")
	flags.StringVar(&m.name, "template", "", "of templates of this name")
	flags.StringVar(&m.version, "version", "", "of templates of this version")
	flags.StringVar(&m.step, "step", "", "steps of this name")
	flags.StringVar(&m.error, "error", "", "with this text in the last error, in upper or lower case")
	flags.StringVarP(&m.state, "state", "s", "error", "in this state: error or waiting_for_retry")
	flags.StringVar(&m.selection, "selection", "", "of this selection, without a further filter")
	m.bulk.flags(command, "steps")
	a.completeFlag(command, "namespace", a.namespaces)
}

// given returns a flag of the command line that is allowed only for many steps, or "".
func (m *manyRetries) given(command *cobra.Command) string {
	return given(command, append([]string{"state", "limit", "dry-run", "yes"}, manyRetryFlags...)...)
}

// retryMany retries all steps that match.
func (a *app) retryMany(ctx context.Context, command *cobra.Command, m *manyRetries, b because) error {
	if given(command, manyRetryFlags...) == "" {
		err := usage(command, "%s lacks STEP, TASK or a filter", command.CommandPath())
		err.Hint = "For example --namespace shop --dry-run, which shows the steps that it would retry."
		return err
	}
	e, err := a.executor(ctx)
	if err != nil {
		return err
	}
	params := sqlfn.RetryStepsParams{
		Reason: b.reason, Actor: b.actor, State: m.state, Namespace: m.namespace, Name: m.name, Version: m.version,
		Step: m.step, Error: m.error, DryRun: true,
	}
	if params.SelectionUUID, err = selectionGiven(m.selection); err != nil {
		return err
	}
	retrying := func(size int32, last *gen.StepRetry) ([]gen.StepRetry, error) {
		params.Limit, params.After = size, uuid.Nil
		if last != nil {
			params.After = last.StepUUID
		}
		return e.RetrySteps(ctx, params)
	}
	found, err := batches(m.limit, bulkFound, retrying)
	if err != nil {
		return err
	}
	if err := a.begin(command, &m.bulk, b.reason, "reason", len(found), fmt.Sprintf("%s are retried", count(len(found), "step"))); err != nil {
		return err
	}
	if !m.dryRun && len(found) > 0 {
		params.DryRun = false
		if found, err = batches(m.limit, bulkBatch, retrying); err != nil {
			return err
		}
	}
	table := term.NewTable("TASK", "TEMPLATE", "STEP", "STATE", "ATTEMPTS", "OUTCOME", "ERROR").Yield("STATE", "ERROR")
	return printBulk(a, found, table, func(r gen.StepRetry) string { return r.Outcome }, func(r gen.StepRetry) []term.Cell {
		return []term.Cell{
			a.taskID(r.TaskUUID), term.Text(r.Namespace + "/" + r.Name + "@" + r.Version), term.Text(r.Step),
			term.Text(string(r.State)).Uncut(), term.Text(fmt.Sprint(r.Attempts)), outcomeCell(r.Outcome), term.Text(text(r.LastError)),
		}
	}, "matched", "retried", "locked", "moved")
}
