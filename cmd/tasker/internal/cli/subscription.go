package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

func (a *app) subscriptionCommands() *cobra.Command {
	return a.group("subscription", "Subscriptions: who gets the transitions of tasks and steps", "docs/feed.md tells what they promise; tasker relay delivers.",
		a.subscriptionCreate(), a.subscriptionList(), a.subscriptionShow(), a.subscriptionReplay(), a.subscriptionDrop())
}

func (a *app) subscriptions(ctx context.Context, e *executor.SqlFunctionExecutor) ([]string, error) {
	rows, err := e.ListSubscriptions(ctx, "")
	return pluck(rows, err, func(s gen.SubscriptionDetail) string { return s.Subscription })
}

func (a *app) subscriptionCreate() *cobra.Command {
	var (
		filter                         executor.FeedFilter
		webhook, pgmq, rabbitmq, since string
	)
	var command *cobra.Command
	command = a.leaf(cobra.Command{
		Use:   "create NAME",
		Short: "Create a subscription, or change the filter and target of an existing one",
		Long: `Create a subscription, or change the filter and target of an existing one, which keeps its position. A new
subscription gets events from now on, or from --since on. Without a target, a program reads the events by Feed().Consume, or
by read_events in SQL.`,
		Example: `  tasker subscription create billing -n shop --kind task --to-state complete,error --webhook https://example.org/hooks/pgtasker
  tasker subscription create audit --kind task --pgmq task_events --since 24h`,
	}, "an object of tasker.subscription_details: subscribe()", func(ctx context.Context, args []string) error {
		target := map[string]map[string]string{}
		for kind, t := range map[string][2]string{"webhook": {"url", webhook}, "pgmq": {"queue", pgmq}, "rabbitmq": {"queue", rabbitmq}} {
			if t[1] != "" {
				target[kind] = map[string]string{t[0]: t[1]}
			}
		}
		if len(target) > 1 {
			return usage(command, "a subscription has one target: --webhook, --pgmq or --rabbitmq")
		}
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		now, err := e.Clock(ctx)
		if err != nil {
			return err
		}
		params := sqlfn.SubscribeParams{Subscription: args[0]}
		if params.Filter, err = json.Marshal(filter); err != nil {
			return err
		}
		if len(target) == 1 {
			if params.Target, err = json.Marshal(target); err != nil {
				return err
			}
		}
		if params.Since, err = parseTime("since", since, now, -1); err != nil {
			return err
		}
		made, err := e.Subscribe(ctx, params, a.act)
		if err != nil {
			return err
		}
		return a.show(made, func() error {
			return a.out.Say("done: subscription %s gets %s, %s\n", made.Subscription, subscriptionFilter(made), subscriptionTarget(made))
		})
	})
	flags := command.Flags()
	flags.StringSliceVarP(&filter.Namespaces, "namespace", "n", nil, "only events of these namespaces")
	flags.StringSliceVar(&filter.Templates, "template", nil, "only events of tasks whose templates have these names")
	flags.StringSliceVar(&filter.Kinds, "kind", nil, "only events of these kinds: task, step")
	flags.StringSliceVar(&filter.Events, "event", nil, "only these events, such as Create of a task, Fail of a step")
	flags.StringSliceVar(&filter.ToStates, "to-state", nil, "only transitions to these states; a task ends in complete, error, cancelled or resolved_manually")
	flags.StringVar(&webhook, "webhook", "", "the URL that tasker relay posts to")
	flags.StringVar(&pgmq, "pgmq", "", "the queue of pgmq that tasker relay sends to")
	flags.StringVar(&rabbitmq, "rabbitmq", "", "the queue of RabbitMQ that tasker relay sends to")
	flags.StringVar(&since, "since", "", "begin at this time: 24h ago, or 2026-01-31T12:00:00Z; only for a new subscription")
	a.completeFlag(command, "namespace", a.namespaces)
	_ = command.RegisterFlagCompletionFunc("kind", cobra.FixedCompletions([]string{"task", "step"}, cobra.ShellCompDirectiveNoFileComp))
	return a.acting(command)
}

func (a *app) subscriptionList() *cobra.Command {
	return a.watched(a.leaf(cobra.Command{
		Use:   "list",
		Short: "List the subscriptions: the events, the target and the lag of each",
	}, "an array of tasker.subscription_details: list_subscriptions()", func(ctx context.Context, _ []string) error {
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		subscriptions, err := e.ListSubscriptions(ctx, "")
		if err != nil {
			return err
		}
		table := term.NewTable("SUBSCRIPTION", "GETS", "TARGET", "DELIVERED", "LAG", "").Yield("TARGET", "GETS")
		return list(a, subscriptions, "there are no subscriptions", table, func(s gen.SubscriptionDetail) []term.Cell {
			return []term.Cell{
				term.Text(s.Subscription), term.Text(subscriptionFilter(s)), term.Text(subscriptionTarget(s)),
				term.Text(strconv.FormatInt(s.Delivered, 10)), term.Text(subscriptionLag(s)), term.Colored(subscriptionNote(s), term.Yellow),
			}
		})
	}))
}

func subscriptionLag(s gen.SubscriptionDetail) string {
	return span(time.Duration(s.LagSeconds * float64(time.Second)).Round(time.Second))
}

// subscriptionFilter describes the events of a subscription.
func subscriptionFilter(s gen.SubscriptionDetail) string {
	what := "tasks and steps"
	if len(s.Kinds) == 1 {
		what = s.Kinds[0] + "s"
	}
	of := func(word string, names []string) string {
		if len(names) == 0 {
			return ""
		}
		return word + " " + strings.Join(names, ", ")
	}
	return join(" ", strings.Join(s.Events, ", "), what, of("to", s.ToStates), of("of", s.Templates), of("in", s.Namespaces))
}

// subscriptionTarget describes the target of a subscription's events.
func subscriptionTarget(s gen.SubscriptionDetail) string {
	var target map[string]map[string]string
	if s.Target == nil || json.Unmarshal(s.Target, &target) != nil {
		return "read by a program"
	}
	for kind, t := range target {
		return kind + " " + t["url"] + t["queue"]
	}
	return ""
}

// subscriptionNote describes the obstacle of a subscription.
func subscriptionNote(s gen.SubscriptionDetail) string {
	behind, failing, dead := "", "", ""
	if s.Behind {
		behind = "has missed events: replay it"
	}
	if s.Failures > 0 {
		failing = fmt.Sprintf("failed %d times: %s", s.Failures, text(s.LastError))
	}
	if s.Dead > 0 {
		dead = fmt.Sprintf("%d given up", s.Dead)
	}
	return join(", ", behind, failing, dead)
}

// shownSubscription is a subscription as --json prints it.
type shownSubscription struct {
	Subscription gen.SubscriptionDetail `json:"subscription"`
	Dead         []gen.DeadEvent        `json:"dead"`
}

func (a *app) subscriptionShow() *cobra.Command {
	var limit int32
	command := a.leaf(cobra.Command{
		Use:               "show NAME",
		Short:             "Show a subscription, and the events that were given up",
		ValidArgsFunction: a.complete(a.subscriptions),
	}, "an object: subscription (list_subscriptions()), dead (list_dead_events())", func(ctx context.Context, args []string) error {
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		subscriptions, err := e.ListSubscriptions(ctx, args[0])
		if err != nil {
			return err
		}
		shown := shownSubscription{Subscription: subscriptions[0]}
		if shown.Dead, err = e.ListDeadEvents(ctx, args[0], limit); err != nil {
			return err
		}
		now, err := e.Clock(ctx)
		if err != nil {
			return err
		}
		return a.show(shown, func() error { return a.printSubscription(shown, now) })
	})
	command.Flags().Int32VarP(&limit, "limit", "l", 20, "how many dead events at most")
	return command
}

func (a *app) printSubscription(shown shownSubscription, now time.Time) error {
	s := shown.Subscription
	err := term.Fields(a.out,
		"subscription", s.Subscription,
		"gets", subscriptionFilter(s),
		"target", subscriptionTarget(s),
		"delivered", strconv.FormatInt(s.Delivered, 10),
		"complete until", a.when(&s.CompleteUntil, now),
		"read by", text(s.Reader),
		"note", subscriptionNote(s),
		"last error", text(s.LastError),
		"next attempt", a.when(s.NextAttemptAt, now),
		"set", a.when(&s.UpdatedAt, now)+" by "+s.UpdatedBy,
	)
	if err != nil || len(shown.Dead) == 0 {
		return err
	}
	if err := a.out.Print("\n"); err != nil {
		return err
	}
	table := term.NewTable("DEAD EVENT", "GIVEN UP", "ERROR").Yield("ERROR")
	for _, d := range shown.Dead {
		table.Row(term.Text(d.EventUUID.String()), term.Text(a.at(d.DiedAt)).Uncut(), term.Text(d.Error))
	}
	return table.Write(a.out)
}

func (a *app) subscriptionReplay() *cobra.Command {
	var since string
	var command *cobra.Command
	command = a.leaf(cobra.Command{
		Use:   "replay NAME",
		Short: "Deliver the events since a time once more, with the same UUIDs",
		Example: `  tasker subscription replay billing --since 2h
  tasker subscription replay billing --since 2026-01-31T12:00:00Z`,
		ValidArgsFunction: a.complete(a.subscriptions),
	}, "an object of tasker.subscription_details: replay_events()", func(ctx context.Context, args []string) error {
		if since == "" {
			return usage(command, "--since is needed")
		}
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
		s, err := e.ReplayEvents(ctx, args[0], from, a.act)
		if err != nil {
			return err
		}
		return a.show(s, func() error { return a.out.Say("done: subscription %s goes on from %s\n", args[0], a.at(from)) })
	})
	command.Flags().StringVar(&since, "since", "", "2h ago, or 2026-01-31T12:00:00Z")
	return a.acting(command)
}

func (a *app) subscriptionDrop() *cobra.Command {
	return a.acting(a.leaf(cobra.Command{
		Use:               "drop NAME",
		Short:             "Delete a subscription, with its position and its dead events",
		ValidArgsFunction: a.complete(a.subscriptions),
	}, "an object: changed, false if there was no such subscription", func(ctx context.Context, args []string) error {
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		changed, err := e.Unsubscribe(ctx, args[0], a.act)
		if err != nil {
			return err
		}
		return a.show(struct {
			Changed bool `json:"changed"`
		}{changed}, func() error {
			if !changed {
				return a.out.Say("nothing to do: subscription %s does not exist\n", quote(args[0]))
			}
			return a.out.Say("done: subscription %s is dropped\n", args[0])
		})
	}))
}
