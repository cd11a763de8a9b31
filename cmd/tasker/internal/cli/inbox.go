package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
)

func (a *app) inboxCommands() *cobra.Command {
	return a.group("inbox", "List the steps that wait for a signal or an event, and answer them", "", a.inboxList(), a.inboxAnswer())
}

func (a *app) inboxList() *cobra.Command {
	var filter executor.WaitFilter
	command := a.leaf(cobra.Command{
		Use:     "list",
		Short:   "List the steps that wait for a signal or an event, the longest wait first",
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
		table := term.NewTable("STEP", "TEMPLATE", "NAME", "WAITS FOR", "ASSIGNEE", "WAITING", "UNTIL").Yield("TEMPLATE", "UNTIL", "ASSIGNEE")
		return list(a, waits, "no step waits for a signal or an event", table, func(w gen.WaitDetail) []term.Cell {
			return []term.Cell{
				a.shortStep(w.StepUUID), term.Text(w.Namespace + "/" + w.TaskName), term.Text(w.StepName),
				term.Text(waitsFor(w)), term.Text(text(w.Assignee)),
				term.Text(span(now.Sub(w.WaitingSince))), term.Text(distance(w.DueAt, now)),
			}
		})
	})
	flags := command.Flags()
	flags.StringVarP(&filter.Namespace, "namespace", "n", "", "of this namespace")
	flags.StringVar(&filter.TaskName, "template", "", "of tasks of this template")
	flags.StringVar(&filter.Signal, "signal", "", "that wait for this signal")
	flags.StringVar(&filter.Event, "event", "", "that wait for this event")
	flags.StringVar(&filter.Assignee, "assignee", "", "that this person or role must answer")
	flags.DurationVar(&filter.OlderThan, "older-than", time.Duration(0), "that have waited at least this long")
	flags.Int32VarP(&filter.Limit, "limit", "l", 50, "how many at most")
	a.completeFlag(command, "namespace", a.namespaces)
	return a.watched(command)
}

// waitsFor names the signals and events that a step waits for.
func waitsFor(w gen.WaitDetail) string {
	names := slices.Clone(w.Signals)
	for i, event := range w.Events {
		names = append(names, join(" ", "event "+event, w.EventKeys[i]))
	}
	return strings.Join(names, ", ")
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
	var of signalTarget
	command := a.leaf(cobra.Command{
		Use:   "signal TASK SIGNAL",
		Short: "Send a signal to a task: a step that waits for it continues; otherwise it is kept for a later step",
		Example: `  tasker task signal 5b1d2c3a paid --payload '{"amount": 120}' --key evt_1
  tasker task signal key:order-7 paid
  tasker task signal key:order-8 paid --template shop/order --start`,
		Long: `Send a signal to a task. A step that waits for the signal continues. If no step waits, the signal is kept for a
later step.

With --template the signal goes to the task of that template with the identity key KEY, and --start creates the task if it
does not exist yet.

` + taskForms,
		Args: cobra.ExactArgs(2),
	}, "an object of tasker.signal_answers: send_signal() or, with --template, send_signal_by_key()", func(ctx context.Context, args []string) error {
		if of.template != "" || of.start || of.context != "" {
			return a.signalByKey(ctx, args[0], args[1], of, payload, key)
		}
		task, err := a.findTask(ctx, "TASK", args[0])
		if err != nil {
			return err
		}
		return a.signal(ctx, task, nil, args[1], payload, key)
	})
	signalFlags(command, &payload, &key)
	command.Flags().StringVar(&of.template, "template", "", "the template of the task key:KEY: NAMESPACE/NAME, with --start also @VERSION")
	command.Flags().BoolVar(&of.start, "start", false, "create the task if it does not exist")
	command.Flags().StringVarP(&of.context, "context", "c", "", "the context of a task that --start creates; @FILE reads a file, - standard input")
	return command
}

// signalTarget has the key of a task, and whether to create the task.
type signalTarget struct {
	template, context string
	start             bool
}

func (a *app) signalByKey(ctx context.Context, task, name string, of signalTarget, payload, key string) error {
	identity, byKey := strings.CutPrefix(task, "key:")
	if !byKey || of.template == "" || of.context != "" && !of.start {
		return &problem{
			Exit: exitUsage, Message: "--start needs --template and a task that is named key:KEY; --context needs --start",
			Hint: "For example: tasker task signal key:order-8 paid --template shop/order --start",
		}
	}
	r, err := parseReference(of.template)
	if err != nil {
		return err
	}
	content, err := a.signalPayload(payload)
	if err != nil {
		return err
	}
	var start *executor.SignalStart
	if of.start {
		start = &executor.SignalStart{Version: text(r.version)}
		if start.Context, err = a.readText(cmp.Or(of.context, "{}")); err != nil {
			return err
		}
	}
	e, err := a.executor(ctx)
	if err != nil {
		return err
	}
	answer, err := e.SendSignalByKey(ctx, executor.TaskKey{Namespace: r.namespace, Name: r.name, IdentityKey: identity},
		executor.Signal{Name: name, Payload: content, IdempotencyKey: key}, start)
	if err != nil {
		return err
	}
	return a.showSignal(answer, nil, name)
}

func signalFlags(command *cobra.Command, payload, key *string) {
	command.Flags().StringVar(payload, "payload", "{}", "the signal's JSON; @FILE reads a file, - standard input")
	command.Flags().StringVar(key, "key", "", "idempotency key; a signal with a known key changes nothing")
}

func (a *app) signalPayload(payload string) ([]byte, error) {
	content, err := a.readText(payload)
	if err == nil && !json.Valid(content) {
		err = invalid(`For example --payload '{"ok": true}'.`, "--payload is not JSON")
	}
	return content, err
}

// signal sends a signal to a task and shows its delivery. step is the step that the signal is meant for, or nil.
func (a *app) signal(ctx context.Context, task uuid.UUID, step *uuid.UUID, name, payload, key string) error {
	content, err := a.signalPayload(payload)
	if err != nil {
		return err
	}
	e, err := a.executor(ctx)
	if err != nil {
		return err
	}
	answer, err := e.SendSignal(ctx, task, executor.Signal{Name: name, Payload: content, IdempotencyKey: key})
	if err != nil {
		return err
	}
	return a.showSignal(answer, step, name)
}

// showSignal shows the delivery of a signal. step is the step that the signal is meant for, or nil.
func (a *app) showSignal(answer gen.SignalAnswer, step *uuid.UUID, name string) error {
	return a.show(answer, func() error {
		line := fmt.Sprintf("signal %q is kept: no step of task %s waits for it yet", name, answer.TaskUUID)
		switch {
		case answer.Answer == executor.Repeated:
			line = fmt.Sprintf("signal %q was sent before with this key; nothing was changed", name)
		case answer.Answer == executor.Ended:
			line = fmt.Sprintf("task %s has ended and takes no signal; nothing was changed", answer.TaskUUID)
		case answer.StepUUID != nil && step != nil && *answer.StepUUID != *step:
			line = fmt.Sprintf("signal %q was taken by another step of the task, %s", name, answer.StepUUID)
		case answer.StepUUID != nil:
			line = fmt.Sprintf("signal %q was delivered to step %s", name, answer.StepUUID)
		}
		if answer.Created {
			line = fmt.Sprintf("task %s created; %s", answer.TaskUUID, line)
		}
		return a.out.Say("%s\n", line)
	})
}
