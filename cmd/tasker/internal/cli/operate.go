package cli

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/state"
)

// because is the reason and the author of a change, for the logs.
type because struct{ reason, actor string }

func (b *because) flags(command *cobra.Command) {
	command.Flags().StringVarP(&b.reason, "reason", "r", "", "why, for the logs")
	command.Flags().StringVar(&b.actor, "actor", "", "who, for the logs (default the database role)")
}

// acting adds the flags --reason and --actor to a command that administers.
func (a *app) acting(command *cobra.Command) *cobra.Command {
	command.Flags().StringVarP(&a.act.Reason, "reason", "r", "", "why, for the log of administration")
	command.Flags().StringVar(&a.act.Actor, "actor", "", "who, for the log of administration (default the database role)")
	return command
}

// outcome is the JSON of a change.
type outcome struct {
	// Changed is false if nothing had to change.
	Changed   bool            `json:"changed"`
	TaskUUID  uuid.UUID       `json:"task_uuid"`
	TaskState state.TaskState `json:"task_state"`
	StepUUID  *uuid.UUID      `json:"step_uuid,omitempty"`
	StepState state.StepState `json:"step_state,omitempty"`
}

const (
	taskOutcome = "an object: changed (false if it was so already), task_uuid, task_state"
	stepOutcome = taskOutcome + ", step_uuid, step_state"
)

func (a *app) printOutcome(o outcome, name string) error {
	return a.show(o, func() error {
		verb := a.out.Paint("done:", term.Green)
		if !o.Changed {
			verb = "nothing to do:"
		}
		step := ""
		if o.StepUUID != nil {
			step = fmt.Sprintf("step %s is %s, ", name, a.out.Paint(string(o.StepState), stepLook(o.StepState).color))
		}
		return a.out.Say("%s %stask %s is %s\n", verb, step, o.TaskUUID, a.out.Paint(string(o.TaskState), taskColor(o.TaskState)))
	})
}

// taskChange is a method that changes one task and returns whether it changed anything.
type taskChange func(e *executor.SqlFunctionExecutor, ctx context.Context, task uuid.UUID, reason, actor string) (bool, error)

// taskOperation returns the command that calls a function about one task.
func (a *app) taskOperation(command cobra.Command, change taskChange) *cobra.Command {
	var b because
	leaf := a.leaf(command, taskOutcome, func(ctx context.Context, args []string) error {
		task, err := a.findTask(ctx, "TASK", args[0])
		if err != nil {
			return err
		}
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		changed, err := change(e, ctx, task, b.reason, b.actor)
		if err != nil {
			return err
		}
		now, err := e.GetCurrentTaskState(ctx, task)
		if err != nil {
			return err
		}
		return a.printOutcome(outcome{Changed: changed, TaskUUID: task, TaskState: now}, "")
	})
	b.flags(leaf)
	return leaf
}

func (a *app) taskReset() *cobra.Command {
	var many manyTasks
	command := a.taskOperation(cobra.Command{
		Use:   "reset [TASK]",
		Short: "Reset the attempts of a task's failed steps and continue the task, or all tasks that match a filter",
		Long: fmt.Sprintf(`Reset the attempts of a task's failed steps and continue the task from where it stopped: a task that has
failed, or an open task with failed steps. Complete steps stay complete, and the history is kept.

Without TASK, all tasks that match every given filter are reset, the oldest first: tasks in state
blocked_by_failures, or in error if --state says so. --dry-run shows which tasks and how many. The command needs a reason,
and asks before it begins unless --yes is given. A transaction has %d tasks, so an interrupted command has reset the
oldest tasks. Tasks that another transaction holds are skipped and listed.`, bulkBatch),
		Example: `  tasker task reset key:order-7 --reason 'the bank is back'
  tasker task reset --namespace shop --since 2h --dry-run
  tasker task reset --namespace shop --since 2h --reason 'the bank is back'`,
	}, (*executor.SqlFunctionExecutor).ResetTask)
	command.Annotations[jsonAnnotation] = taskOutcome + "; with filters an object: counts (how many of each outcome), changes (an array of tasker.task_resets: reset_tasks())"
	one := command.RunE
	command.RunE = func(command *cobra.Command, args []string) error {
		if len(args) == 0 {
			a.ran = true
			return a.resetMany(command.Context(), command, &many, because{flagText(command, "reason"), flagText(command, "actor")})
		}
		if name := many.given(command); name != "" {
			return usage(command, "--%s goes without TASK", name)
		}
		return one(command, args)
	}
	many.flags(a, command)
	return command
}

func (a *app) taskResolve() *cobra.Command {
	return a.taskOperation(cobra.Command{
		Use:   "resolve TASK",
		Short: "Resolve a task that is blocked by failures; its open steps are cancelled",
	}, (*executor.SqlFunctionExecutor).ResolveTaskManually)
}

func (a *app) taskGiveUp() *cobra.Command {
	return a.taskOperation(cobra.Command{
		Use:   "give-up TASK",
		Short: "Fail a task that is blocked by failures; tasker task reset can continue it",
	}, (*executor.SqlFunctionExecutor).GiveUpTask)
}

func (a *app) taskFork() *cobra.Command {
	var (
		b      because
		p      sqlfn.ForkTaskParams
		format = "an object: task_uuid (of the new task), task_state, forked_from"
	)
	command := a.leaf(cobra.Command{
		Use:   "fork TASK STEP",
		Short: "Create a task that repeats another task from a step on and takes over the other results",
		Long: `Create a task that repeats another task from a step on. STEP, its descendants, and steps that were not complete
run again. The results of all other steps are taken over, with their audit. --version uses another version of the template.
The old task is unchanged unless --cancel is given.`,
		Example: `  tasker task fork 5b1d2c3a ship --reason 'the address was wrong'
  tasker task fork 5b1d2c3a charge --version 1.1.0 --cancel --reason 'charged in the wrong currency'`,
	}, format, func(ctx context.Context, args []string) error {
		task, err := a.findTask(ctx, "TASK", args[0])
		if err != nil {
			return err
		}
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		p.TaskUUID, p.FromStep, p.Reason, p.Actor = task, args[1], b.reason, b.actor
		forked, err := e.ForkTask(ctx, p)
		if err != nil {
			return err
		}
		now, err := e.GetCurrentTaskState(ctx, forked)
		if err != nil {
			return err
		}
		return a.show(map[string]any{"task_uuid": forked, "task_state": now, "forked_from": task}, func() error {
			return a.out.Say("%s task %s is %s\n", a.out.Paint("done:", term.Green), forked, a.out.Paint(string(now), taskColor(now)))
		})
	})
	command.Flags().StringVar(&p.Version, "version", "", "the version of the template (default: the version of the old task)")
	command.Flags().BoolVar(&p.Cancel, "cancel", false, "cancel the old task in the same transaction")
	command.Flags().StringVar(&p.Key, "key", "", "a repeat with the same key returns the same new task")
	b.flags(command)
	return command
}

// retryAll retries all steps of one task that failed or wait for their next attempt, in one transaction.
func (a *app) retryAll(ctx context.Context, argument string, b because) error {
	task, err := a.findTask(ctx, "TASK", argument)
	if err != nil {
		return err
	}
	pool, err := a.connect(ctx)
	if err != nil {
		return err
	}
	tx, err := pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
	outcomes, names, err := retrySteps(ctx, executor.New(tx), task, b)
	if err != nil {
		return err
	}
	if err := tx.Commit(ctx); err != nil {
		return err
	}
	return a.show(outcomes, func() error {
		for i, o := range outcomes {
			if err := a.printOutcome(o, names[i]); err != nil {
				return err
			}
		}
		if len(outcomes) == 0 {
			return a.out.Print("nothing to do: no step has failed or waits for its next attempt\n")
		}
		return nil
	})
}

// retrySteps retries the steps that failed or wait, and returns the outcome of each step.
func retrySteps(ctx context.Context, e *executor.SqlFunctionExecutor, task uuid.UUID, b because) ([]outcome, []string, error) {
	if _, err := e.GetCurrentTaskState(ctx, task); err != nil {
		return nil, nil, err
	}
	steps, err := e.ListSteps(ctx, task)
	if err != nil {
		return nil, nil, err
	}
	outcomes, names := []outcome{}, []string{}
	for _, step := range steps {
		if step.State != state.StepError && step.State != state.StepWaitingForRetry {
			continue
		}
		changed, err := e.RetryStep(ctx, step.WorkflowStepUUID, b.reason, b.actor)
		if err != nil {
			return nil, nil, err
		}
		o, err := stepAfter(ctx, e, step.WorkflowStepUUID, changed)
		if err != nil {
			return nil, nil, err
		}
		outcomes, names = append(outcomes, o), append(names, step.Name)
	}
	return outcomes, names, nil
}

// stepAfter returns the outcome of a change of a step.
func stepAfter(ctx context.Context, e *executor.SqlFunctionExecutor, step uuid.UUID, changed bool) (outcome, error) {
	o := outcome{Changed: changed, StepUUID: &step}
	var err error
	if o.TaskUUID, err = e.TaskUUIDOf(ctx, step); err != nil {
		return o, err
	}
	if o.StepState, err = e.GetCurrentStepState(ctx, step); err != nil {
		return o, err
	}
	o.TaskState, err = e.GetCurrentTaskState(ctx, o.TaskUUID)
	return o, err
}

// stepChange is a method that changes one step and returns whether it changed anything.
type stepChange func(e *executor.SqlFunctionExecutor, ctx context.Context, step uuid.UUID, reason, actor string) (bool, error)

// stepOperation returns the command that calls a function about one step.
func (a *app) stepOperation(command cobra.Command, change stepChange) *cobra.Command {
	var b because
	leaf := a.leaf(command, stepOutcome, func(ctx context.Context, args []string) error {
		step, err := a.findStep(ctx, args)
		if err != nil {
			return err
		}
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		changed, err := change(e, ctx, step.WorkflowStepUUID, b.reason, b.actor)
		if err != nil {
			return err
		}
		o, err := stepAfter(ctx, e, step.WorkflowStepUUID, changed)
		if err != nil {
			return err
		}
		return a.printOutcome(o, step.Name)
	})
	b.flags(leaf)
	return leaf
}

func (a *app) stepRetry() *cobra.Command {
	var (
		all  bool
		many manyRetries
	)
	command := a.stepOperation(cobra.Command{
		Use:   "retry [STEP|TASK] [NAME]",
		Short: "Run a failed step again, or start a step's next attempt at once, or all steps that match a filter",
		Long: fmt.Sprintf(`Run a step again that failed for good, or start the next attempt of a waiting step at once. With --all and a TASK, do so for each
failed or waiting step of the task, in one transaction. A task that has failed needs "tasker task reset".

Without STEP or TASK, all steps that match every given filter are retried, the oldest task first. --dry-run shows which steps
and how many. The command needs a reason, and asks before it begins unless --yes is given. A transaction has %d steps, so
an interrupted command has retried the oldest steps. Steps whose task another transaction holds are skipped and listed.`,
			bulkBatch),
		Example: `  tasker step retry 5b1d2c3a charge --reason 'the bank is back'
  tasker step retry 5b1d2c3a --all --reason 'the bank is back'
  tasker step retry --namespace shop --step charge --error 'bank is closed' --dry-run`,
	}, (*executor.SqlFunctionExecutor).RetryStep)
	command.Annotations[jsonAnnotation] = stepOutcome + "; with --all an array of these objects; with filters an object: counts (how many of each outcome), changes (an array of tasker.step_retries: retry_steps())"
	one := command.RunE
	command.RunE = func(command *cobra.Command, args []string) error {
		switch {
		case len(args) == 0 && !all:
			a.ran = true
			return a.retryMany(command.Context(), command, &many, because{flagText(command, "reason"), flagText(command, "actor")})
		case many.given(command) != "":
			return usage(command, "--%s goes without STEP or TASK", many.given(command))
		case len(args) == 0:
			return usage(command, "--all goes with TASK")
		case all && len(args) > 1:
			return usage(command, "--all goes without NAME")
		case all:
			a.ran = true
			return a.retryAll(command.Context(), args[0], because{flagText(command, "reason"), flagText(command, "actor")})
		}
		return one(command, args)
	}
	command.Flags().BoolVar(&all, "all", false, "all failed and waiting steps of TASK")
	many.flags(a, command)
	return command
}

// flagText returns the value of a command's flag, whose variable is elsewhere.
func flagText(command *cobra.Command, name string) string {
	return command.Flags().Lookup(name).Value.String()
}

func (a *app) stepRerun() *cobra.Command {
	var (
		results string
		dryRun  bool
	)
	var b because
	command := a.leaf(cobra.Command{
		Use:   "rerun STEP|TASK [NAME]",
		Short: "Correct a wrong result: run a step and its descendants again, or give the step another result",
		Long: `Run a step again that is done or has failed, together with all its descendants. A task that is complete or has
failed becomes open again. The former results stay in the audit, with the reason. No compensation runs before.

With --results the step does not run: it gets that result, and its descendants run again. --dry-run lists the steps and
changes nothing.`,
		Example: "  tasker step rerun 5b1d2c3a price --dry-run\n  tasker step rerun 5b1d2c3a price --results '{\"price\": 11}' --reason 'the list was old'",
	}, stepOutcome+"; with --dry-run an array of objects: task_uuid, step_no, workflow_step_uuid, name, state, fate (again or replaced), has_compensation, child_task_uuid", func(ctx context.Context, args []string) error {
		step, err := a.findStep(ctx, args)
		if err != nil {
			return err
		}
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		if dryRun {
			steps, err := e.PreviewRerun(ctx, step.WorkflowStepUUID)
			if err != nil {
				return err
			}
			return a.show(steps, func() error { return a.printReruns(steps) })
		}
		p := sqlfn.RerunStepParams{StepUUID: step.WorkflowStepUUID, Reason: b.reason, Actor: b.actor}
		if results != "" {
			if p.Results, err = a.readText(results); err != nil {
				return err
			}
			if !json.Valid(p.Results) {
				return invalid(`For example --results '{"paid": true}'.`, "--results is not JSON")
			}
		}
		changed, err := e.RerunStep(ctx, p)
		if err != nil {
			return err
		}
		o, err := stepAfter(ctx, e, step.WorkflowStepUUID, changed)
		if err != nil {
			return err
		}
		return a.printOutcome(o, step.Name)
	})
	b.flags(command)
	command.Flags().StringVar(&results, "results", "", "the right result as JSON; @FILE reads a file, - standard input")
	command.Flags().BoolVar(&dryRun, "dry-run", false, "only list the steps that would run again")
	return command
}

// printReruns prints the steps that run again.
func (a *app) printReruns(steps []gen.StepRerun) error {
	table := term.NewTable("STEP", "STATE", "WHAT BECOMES OF IT").Yield("STATE")
	for _, s := range steps {
		table.Row(term.Text(s.Name), term.Colored(string(s.State), stepLook(s.State).color).Uncut(), term.Text(rerunInWords(s)))
	}
	return table.Write(a.out)
}

// rerunInWords describes the effect of a rerun on a step.
func rerunInWords(s gen.StepRerun) string {
	words := "runs again"
	if s.Fate == "replaced" {
		words = "is replaced by another instance"
	}
	if s.HasCompensation {
		words += "; its effect is not undone before"
	}
	if s.ChildTaskUUID != nil {
		words += "; starts a new task instead of " + s.ChildTaskUUID.String()
	}
	return words
}

func (a *app) stepResolve() *cobra.Command {
	return a.stepOperation(cobra.Command{
		Use:   "resolve STEP|TASK [NAME]",
		Short: "Resolve a step that was done elsewhere, without a result; its children may run",
	}, (*executor.SqlFunctionExecutor).ResolveStepManually)
}

func (a *app) stepComplete() *cobra.Command {
	var results string
	command := a.stepOperation(cobra.Command{
		Use:     "complete STEP|TASK [NAME]",
		Short:   "Complete a step with your own result, which its children get",
		Example: "  tasker step complete 5b1d2c3a charge --results '{\"paid\": true}'",
	}, func(e *executor.SqlFunctionExecutor, ctx context.Context, step uuid.UUID, reason, actor string) (bool, error) {
		content, err := a.readText(results)
		if err != nil {
			return false, err
		}
		if !json.Valid(content) {
			return false, invalid(`For example --results '{"paid": true}'.`, "--results is not JSON")
		}
		return e.CompleteStepManually(ctx, sqlfn.CompleteStepManuallyParams{
			StepUUID: step, Results: content, Reason: reason, Actor: actor,
		})
	})
	command.Flags().StringVar(&results, "results", "{}", "the result as JSON; @FILE reads a file, - standard input")
	return command
}
