package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

func (a *app) eventCommands() *cobra.Command {
	return a.group("event", "Events that many steps wait for: emit and list them", "docs/howto/broadcasts.md tells how they behave.",
		a.eventEmit(), a.eventTest(), a.eventList())
}

// eventNamed reads the arguments NAMESPACE/EVENT [KEY].
func eventNamed(args []string) (event executor.Event, err error) {
	var ok bool
	if event.Namespace, event.Name, ok = strings.Cut(args[0], "/"); !ok || event.Namespace == "" || event.Name == "" {
		return event, &problem{
			Exit: exitUsage, Message: "an event is NAMESPACE/EVENT, not " + quote(args[0]), Hint: "For example: tasker event emit shop/paid order-7",
		}
	}
	if len(args) > 1 {
		event.Key = args[1]
	}
	return event, nil
}

func (a *app) eventTest() *cobra.Command {
	var payload string
	command := a.leaf(cobra.Command{
		Use:   "test NAMESPACE/EVENT [KEY]",
		Short: "Show which tasks an event would start and cancel, without emitting it",
		Long: `Show which tasks an event would start and cancel if it were emitted now. Each start_on and cancel_on that names
the event, in a template of the namespace, has a line. The command changes nothing. The exit code is 8 if the event would be
refused.`,
		Example: "  tasker event test shop/paid --payload '{\"order\": 7}'",
		Args:    cobra.RangeArgs(1, 2),
	}, "an array of tasker.event_effects: test_event()", func(ctx context.Context, args []string) error {
		event, err := eventNamed(args)
		if err != nil {
			return err
		}
		if event.Payload, err = a.signalPayload(payload); err != nil {
			return err
		}
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		effects, err := e.TestEvent(ctx, sqlfn.TestEventParams{Namespace: event.Namespace, Name: event.Name, Key: event.Key, Payload: event.Payload})
		if err != nil {
			return err
		}
		refused := false
		table := term.NewTable("TEMPLATE", "EFFECT", "KEY", "TASK", "CONTEXT").Yield("KEY", "CONTEXT").Wrap()
		err = list(a, effects, "no template of the namespace names the event", table, func(f gen.EventEffect) []term.Cell {
			what := term.Text(effectWords[f.Outcome])
			if f.Problem != nil {
				refused = true
				what = term.Colored("is refused: "+*f.Problem, term.Red)
			}
			task := ""
			if f.TaskUUID != nil {
				task = f.TaskUUID.String()
			}
			return []term.Cell{term.Text(f.TaskName + "@" + f.Version), what, term.Text(text(f.IdentityKey)), term.Text(task), term.Text(string(f.Context))}
		})
		if err == nil && refused {
			return silent
		}
		return err
	})
	command.Flags().StringVar(&payload, "payload", "{}", "the event's JSON; @FILE reads a file, - standard input")
	return command
}

// effectWords has the outcomes of tasker.event_effects in words.
var effectWords = map[string]string{
	"starts": "starts a task", "cancels": "cancels the task", "exists": "starts nothing: the key has a task", "no_task": "cancels nothing: the key has no open task",
	"other_key": "none: it asks for another key", "other_payload": "none: the condition does not hold",
}

func (a *app) eventEmit() *cobra.Command {
	var payload string
	var event executor.Event
	command := a.leaf(cobra.Command{
		Use:     "emit NAMESPACE/EVENT [KEY]",
		Short:   "Emit an event to all steps of a namespace that wait for it",
		Example: "  tasker event emit shop/paid order-7 --payload '{\"amount\": 120}' --key evt_1\n  tasker event emit shop/market_open",
		Args:    cobra.RangeArgs(1, 2),
	}, "an object of tasker.emitted_events: emit_event()", func(ctx context.Context, args []string) error {
		named, err := eventNamed(args)
		if err != nil {
			return err
		}
		event.Namespace, event.Name, event.Key = named.Namespace, named.Name, named.Key
		if event.Payload, err = a.signalPayload(payload); err != nil {
			return err
		}
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		emitted, err := e.EmitEvent(ctx, event)
		if err != nil {
			return err
		}
		return a.show(emitted, func() error {
			if emitted.Repeated {
				return a.out.Say("event %s was emitted before with this key; nothing was changed\n", emitted.EventUUID)
			}
			return a.out.Say("event %s emitted; workers deliver it to the steps that wait\n", emitted.EventUUID)
		})
	})
	command.Flags().StringVar(&payload, "payload", "{}", "the event's JSON; @FILE reads a file, - standard input")
	command.Flags().StringVar(&event.IdempotencyKey, "key", "", "idempotency key; an event with a known key changes nothing")
	return command
}

func (a *app) eventList() *cobra.Command {
	var filter executor.EventFilter
	var key string
	command := a.leaf(cobra.Command{
		Use:     "list",
		Short:   "List the stored events, newest first, and how many steps took each event",
		Example: "  tasker event list\n  tasker event list --namespace shop --name paid --event-key order-7",
	}, "an array of tasker.broadcast_details: list_events()", func(ctx context.Context, _ []string) error {
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		now, err := e.Clock(ctx)
		if err != nil {
			return err
		}
		if key != "" {
			filter.Key = &key
		}
		events, err := e.ListEvents(ctx, filter)
		if err != nil {
			return err
		}
		table := term.NewTable("EVENT", "NAME", "KEY", "EMITTED", "BY", "TAKEN BY", "DELIVERED").Yield("BY", "KEY")
		return list(a, events, "no event is kept", table, func(b gen.BroadcastDetail) []term.Cell {
			return []term.Cell{
				term.Text(b.EventUUID.String()).Uncut(), term.Text(b.Namespace + "/" + b.Name), term.Text(b.Key),
				term.Text(distance(&b.SentAt, now)), term.Text(b.SentBy), number(float64(b.Receivers)), term.Text(delivery(b)),
			}
		})
	})
	flags := command.Flags()
	flags.StringVarP(&filter.Namespace, "namespace", "n", "", "of this namespace")
	flags.StringVar(&filter.Name, "name", "", "of this name")
	flags.StringVar(&key, "event-key", "", "with this key")
	flags.Int32VarP(&filter.Limit, "limit", "l", 50, "how many at most")
	a.completeFlag(command, "namespace", a.namespaces)
	return a.watched(command)
}

// delivery returns how many steps an event has reached so far.
func delivery(b gen.BroadcastDetail) string {
	switch {
	case b.DeliveredAt != nil:
		return "yes"
	case b.BusyReceivers > 0:
		return "tasks are busy"
	default:
		return "not yet"
	}
}
