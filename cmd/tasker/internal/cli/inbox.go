package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/executor"
)

func (a *app) inboxCommands() *cobra.Command {
	return a.group("inbox", "List the steps that wait for a signal, and answer them", "", a.inboxList(), a.inboxAnswer())
}

func (a *app) inboxList() *cobra.Command {
	var filter executor.WaitFilter
	command := a.leaf(cobra.Command{
		Use:     "list",
		Short:   "List the steps that wait for a signal, longest waiting first",
		Example: "  tasker inbox list\n  tasker inbox list --namespace shop --assignee finance --older-than 24h",
	}, "an array of tasker.wait_details: list_waits()", func(ctx context.Context, _ []string) error {
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		now, err := e.Clock(ctx)
		if err != nil {
			return err
		}
		waits, err := e.ListWaits(ctx, filter)
		if err != nil {
			return err
		}
		table := term.NewTable("STEP", "TEMPLATE", "NAME", "SIGNALS", "ASSIGNEE", "WAITING", "UNTIL").Yield("TEMPLATE", "UNTIL", "ASSIGNEE")
		return list(a, waits, "no step waits for a signal", table, func(w executor.WaitDetail) []term.Cell {
			return []term.Cell{
				a.shortStep(w.StepUUID), term.Text(w.Namespace + "/" + w.TaskName), term.Text(w.StepName),
				term.Text(strings.Join(w.Signals, ", ")), term.Text(text(w.Assignee)),
				term.Text(span(now.Sub(w.WaitingSince))), term.Text(distance(w.DueAt, now)),
			}
		})
	})
	flags := command.Flags()
	flags.StringVarP(&filter.Namespace, "namespace", "n", "", "of this namespace")
	flags.StringVarP(&filter.TaskName, "template", "t", "", "of tasks of this template")
	flags.StringVar(&filter.Signal, "signal", "", "that wait for this signal")
	flags.StringVar(&filter.Assignee, "assignee", "", "that this person or role is to answer")
	flags.DurationVar(&filter.OlderThan, "older-than", time.Duration(0), "that have waited at least so long")
	flags.Int32VarP(&filter.Limit, "limit", "l", 50, "how many at most")
	a.completeFlag(command, "namespace", a.namespaces)
	return a.watched(command)
}

func (a *app) inboxAnswer() *cobra.Command {
	var payload, key string
	command := a.leaf(cobra.Command{
		Use:     "answer STEP SIGNAL",
		Short:   "Send a step the signal that it waits for",
		Example: "  tasker inbox answer 5b1d2c3a.2 approved --payload '{\"ok\": true}'",
		Args:    cobra.ExactArgs(2),
	}, "an object of tasker.signal_answers: send_signal()", func(ctx context.Context, args []string) error {
		step, err := a.findStep(ctx, args[:1])
		if err != nil {
			return err
		}
		return a.signal(ctx, step.TaskUUID, &step.WorkflowStepUUID, args[1], payload, key)
	})
	signalFlags(command, &payload, &key)
	return command
}

func (a *app) taskSignal() *cobra.Command {
	var payload, key string
	command := a.leaf(cobra.Command{
		Use:     "signal TASK SIGNAL",
		Short:   "Send a signal to a task: a step that waits for it goes on, else it is kept for one that does",
		Example: "  tasker task signal 5b1d2c3a paid --payload '{\"amount\": 120}' --key evt_1",
		Args:    cobra.ExactArgs(2),
	}, "an object of tasker.signal_answers: send_signal()", func(ctx context.Context, args []string) error {
		task, err := a.findTask(ctx, "TASK", args[0])
		if err != nil {
			return err
		}
		return a.signal(ctx, task, nil, args[1], payload, key)
	})
	signalFlags(command, &payload, &key)
	return command
}

func signalFlags(command *cobra.Command, payload, key *string) {
	command.Flags().StringVar(payload, "payload", "{}", "the signal's JSON; @FILE reads a file, - standard input")
	command.Flags().StringVar(key, "key", "", "idempotency key: a signal with a known one changes nothing")
}

// signal sends a signal to a task and says what became of it; step is the one that it is meant for, or nil.
func (a *app) signal(ctx context.Context, task uuid.UUID, step *uuid.UUID, name, payload, key string) error {
	content, err := a.readText(payload)
	if err != nil {
		return err
	}
	if !json.Valid(content) {
		return invalid(`For example --payload '{"ok": true}'.`, "--payload is not JSON")
	}
	e, err := a.executor(ctx)
	if err != nil {
		return err
	}
	answer, err := e.SendSignal(ctx, task, executor.Signal{Name: name, Payload: content, IdempotencyKey: key})
	if err != nil {
		return err
	}
	return a.show(answer, func() error {
		line := fmt.Sprintf("signal %q is kept: no step of task %s waits for it yet", name, task)
		switch {
		case answer.Answer == executor.SignalRepeated:
			line = fmt.Sprintf("signal %q was sent before with this key; nothing was changed", name)
		case answer.StepUUID != nil && step != nil && *answer.StepUUID != *step:
			line = fmt.Sprintf("signal %q was taken by another step of the task, %s", name, answer.StepUUID)
		case answer.StepUUID != nil:
			line = fmt.Sprintf("signal %q was delivered to step %s", name, answer.StepUUID)
		}
		return a.out.Say("%s\n", line)
	})
}
