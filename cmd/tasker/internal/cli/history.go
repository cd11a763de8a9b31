package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/gen"
)

func (a *app) taskHistory() *cobra.Command {
	var limit int32
	command := a.leaf(cobra.Command{
		Use:   "history TASK",
		Short: "Show what happened to a task and its steps, oldest first",
	}, "an array of tasker.task_events: get_task_history()", func(ctx context.Context, args []string) error {
		task, err := a.findTaskBy(ctx, "TASK", args[0], true)
		if err != nil {
			return err
		}
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		events, err := e.GetTaskHistory(ctx, task, limit)
		if err != nil {
			return err
		}
		return a.printHistory(events)
	})
	command.Flags().Int32VarP(&limit, "limit", "l", 1000, "how many events at most")
	return a.watched(command)
}

func (a *app) stepHistory() *cobra.Command {
	var limit int32
	command := a.leaf(cobra.Command{
		Use:   "history STEP|TASK [NAME]",
		Short: "Show what happened to a step, oldest first",
	}, "an array of tasker.task_events: get_step_history()", func(ctx context.Context, args []string) error {
		step, err := a.findStepBy(ctx, args, true)
		if err != nil {
			return err
		}
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		events, err := e.GetStepHistory(ctx, step.WorkflowStepUUID, limit)
		if err != nil {
			return err
		}
		return a.printHistory(events)
	})
	command.Flags().Int32VarP(&limit, "limit", "l", 1000, "how many events at most")
	return a.watched(command)
}

// printHistory prints the events of a task or a step, and each time only once.
func (a *app) printHistory(events []gen.TaskEvent) error {
	last := ""
	heading, cell := a.timeColumn("TIME", each(events, func(e gen.TaskEvent) time.Time { return e.OccurredAt }))
	table := term.NewTable(heading, "AFTER", "WHAT").Yield("AFTER")
	return list(a, events, "nothing happened", table, func(event gen.TaskEvent) []term.Cell {
		at, since := a.at(event.OccurredAt), event.OccurredAt.Sub(events[0].OccurredAt)
		shown := cell(event.OccurredAt)
		if at == last {
			shown = term.Text("") // many events have the same second
		}
		last = at
		color := term.Plain
		if event.Error != nil {
			color = term.Red
		}
		what := event.Description
		if event.Actor != nil && *event.Actor != text(event.Login) {
			what += fmt.Sprintf(" (logged in: %s)", login(event.Login, event.Role))
		}
		return []term.Cell{shown, term.Text(elapsed(since)), term.Colored(what, color)}
	})
}

// elapsed formats the time between the first event and another event.
func elapsed(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return "+" + span(d)
}
