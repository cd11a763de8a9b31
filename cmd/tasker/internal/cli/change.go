package cli

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/executor"
)

func (a *app) taskPause() *cobra.Command {
	return a.taskOperation(cobra.Command{
		Use:   "pause TASK",
		Short: "Pause a task: no further step starts, and running steps finish",
	}, (*executor.SqlFunctionExecutor).PauseTask)
}

func (a *app) taskResume() *cobra.Command {
	return a.taskOperation(cobra.Command{
		Use:   "resume TASK",
		Short: "End the pause of a task",
	}, (*executor.SqlFunctionExecutor).ResumeTask)
}

func pausedLine(paused bool) string {
	if paused {
		return "yes: no step starts"
	}
	return ""
}

func (a *app) taskChange() *cobra.Command {
	var input, startAt, deadline string
	var priority int32
	var leaf *cobra.Command
	leaf = a.taskOperation(cobra.Command{
		Use:   "change TASK",
		Short: "Change the priority, the start, the deadline or the context of a task",
		Long: `Change the priority, the start, the deadline or the context of a task that has not ended. Omitted values do not
change. A new context needs a reason. See docs/howto/pause-and-change.md.`,
		Example: `  tasker task change key:7 --priority 10
  tasker task change key:7 --deadline 2h
  tasker task change key:7 --context @order.json --reason 'the price was wrong'`,
	}, func(e *executor.SqlFunctionExecutor, ctx context.Context, task uuid.UUID, reason, actor string) (bool, error) {
		change := executor.TaskChange{Reason: reason, Actor: actor}
		if leaf.Flags().Changed("priority") {
			change.Priority = &priority
		}
		var err error
		if change.Context, err = a.readObject("context", input); err != nil {
			return false, err
		}
		now, err := e.Clock(ctx)
		if err != nil {
			return false, err
		}
		for flag, at := range map[string]struct {
			text string
			to   *time.Time
		}{"start-at": {startAt, &change.StartAt}, "deadline": {deadline, &change.Deadline}} {
			if *at.to, err = parseTime(flag, at.text, now, 1); err != nil {
				return false, err
			}
		}
		return e.ChangeTask(ctx, task, change)
	})
	leaf.Flags().Int32VarP(&priority, "priority", "p", 0, "the new priority, from -1000 to 1000; a higher priority starts first")
	leaf.Flags().StringVar(&startAt, "start-at", "", "when the task starts: in 2h, or at 2026-01-31T12:00:00Z")
	leaf.Flags().StringVar(&deadline, "deadline", "", "the time or span after which the task fails if it has not ended")
	leaf.Flags().StringVarP(&input, "context", "c", "", "the new context: a JSON object, @FILE, or - for standard input")
	return leaf
}
