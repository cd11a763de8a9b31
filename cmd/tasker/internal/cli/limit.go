package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

func (a *app) limitCommands() *cobra.Command {
	return a.group("limit", "Limits: how many steps run at once, and how many start in a time", "docs/limits.md tells how they behave.",
		a.limitList(), a.limitShow(), a.limitSet(), a.limitDrop())
}

// parseLimit reads NAMESPACE/LIMIT.
func parseLimit(text string) (namespace, limit string, err error) {
	namespace, limit, ok := strings.Cut(text, "/")
	if !ok || namespace == "" || limit == "" {
		return "", "", &problem{
			Exit: exitUsage, Message: "a limit is NAMESPACE/LIMIT, not " + quote(text), Hint: "tasker limit list shows them.",
		}
	}
	return namespace, limit, nil
}

func (a *app) limits(ctx context.Context, e *executor.SqlFunctionExecutor) ([]string, error) {
	rows, err := e.ListLimits(ctx, "")
	return pluck(rows, err, func(l gen.LimitDetail) string { return l.Namespace + "/" + l.Name })
}

func (a *app) limitList() *cobra.Command {
	var namespace string
	command := a.leaf(cobra.Command{
		Use:   "list",
		Short: "List the limits: their bounds, and how many steps run and wait",
	}, "an array of tasker.limit_details: list_limits()", func(ctx context.Context, _ []string) error {
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		limits, err := e.ListLimits(ctx, namespace)
		if err != nil {
			return err
		}
		table := term.NewTable("LIMIT", "BOUNDS", "IN USE", "WAITING", "OLDEST", "KEYS", "HANDLERS").Yield("HANDLERS", "KEYS", "BOUNDS")
		return list(a, limits, "there are no limits", table, func(l gen.LimitDetail) []term.Cell {
			return []term.Cell{
				term.Text(l.Namespace + "/" + l.Name).Uncut(), term.Text(limitBounds(l)), number(float64(l.InUse)), number(float64(l.Waiting)),
				term.Text(oldest(l.Waiting, l.OldestSeconds)), number(float64(l.Keys)), term.Text(strings.Join(l.Handlers, ", ")),
			}
		})
	})
	command.Flags().StringVarP(&namespace, "namespace", "n", "", "only of this namespace")
	a.completeFlag(command, "namespace", a.namespaces)
	return a.watched(command)
}

// limitBounds describes the bounds of a limit for each key.
func limitBounds(l gen.LimitDetail) string {
	return boundsText(l.Concurrency, l.Rate, l.PerSeconds, l.Burst)
}

func boundsText(most, starts *int32, perSeconds, burst int32) string {
	concurrency, rate := "", ""
	if most != nil {
		concurrency = fmt.Sprintf("%d at once", *most)
	}
	if starts != nil {
		rate = fmt.Sprintf("%d per %s", *starts, span(time.Duration(perSeconds)*time.Second))
		if burst > 1 {
			rate += fmt.Sprintf(", burst %d", burst)
		}
	}
	if bounds := join(", ", concurrency, rate); bounds != "" {
		return bounds
	}
	return "none"
}

// keyBounds describes the bounds of a key that has its own bounds or a bound from the context of a task.
func keyBounds(k gen.LimitKeyDetail) string {
	bounds := boundsText(k.Concurrency, k.Rate, k.PerSeconds, k.Burst)
	switch {
	case k.OwnBounds:
		return bounds
	case k.InputBound != nil:
		return bounds + ", by input"
	}
	return ""
}

func keyName(key string) string {
	if key == "" {
		return "(none)"
	}
	return key
}

func oldest(waiting int64, seconds float64) string {
	if waiting == 0 {
		return ""
	}
	return span(time.Duration(seconds * float64(time.Second)))
}

// shownLimit is a limit as --json prints it.
type shownLimit struct {
	Limit gen.LimitDetail      `json:"limit"`
	Keys  []gen.LimitKeyDetail `json:"keys"`
}

func (a *app) limitShow() *cobra.Command {
	var most int32
	command := a.leaf(cobra.Command{
		Use:               "show NAMESPACE/LIMIT",
		Short:             "Show a limit and its longest lines",
		ValidArgsFunction: a.complete(a.limits),
	}, "an object: limit (list_limits()), keys (list_limit_keys())", func(ctx context.Context, args []string) error {
		namespace, name, err := parseLimit(args[0])
		if err != nil {
			return err
		}
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		var shown shownLimit
		if shown.Keys, err = e.ListLimitKeys(ctx, namespace, name, most); err != nil {
			return err
		}
		limits, err := e.ListLimits(ctx, namespace)
		if err != nil {
			return err
		}
		for _, l := range limits {
			if l.Name == name {
				shown.Limit = l
			}
		}
		now, err := e.Clock(ctx)
		if err != nil {
			return err
		}
		return a.show(shown, func() error { return a.printLimit(shown, now) })
	})
	command.Flags().Int32VarP(&most, "limit", "l", 20, "how many keys at most")
	return a.watched(command)
}

func (a *app) printLimit(shown shownLimit, now time.Time) error {
	l := shown.Limit
	err := term.Fields(a.out,
		"limit", l.Namespace+"/"+l.Name,
		"bounds", limitBounds(l)+", for each key",
		"in use", fmt.Sprint(l.InUse),
		"waiting", fmt.Sprint(l.Waiting),
		"oldest", oldest(l.Waiting, l.OldestSeconds),
		"keys", fmt.Sprint(l.Keys),
		"handlers", strings.Join(l.Handlers, ", "),
		"set", a.when(&l.UpdatedAt, now)+" by "+l.UpdatedBy,
	)
	if err != nil || len(shown.Keys) == 0 {
		return err
	}
	if err := a.out.Print("\n"); err != nil {
		return err
	}
	table := term.NewTable("KEY", "OWN BOUNDS", "IN USE", "WAITING", "OLDEST", "NEXT START")
	for _, k := range shown.Keys {
		table.Row(term.Text(keyName(k.LimitKey)), term.Text(keyBounds(k)), number(float64(k.InUse)), number(float64(k.Waiting)), term.Text(oldest(k.Waiting, k.OldestSeconds)),
			term.Text(a.when(k.NextStartAt, now)))
	}
	return table.Write(a.out)
}

func (a *app) limitSet() *cobra.Command {
	var (
		params                   sqlfn.SetLimitParams
		concurrency, rate, burst int32
		per                      time.Duration
		key                      string
	)
	var command *cobra.Command
	command = a.leaf(cobra.Command{
		Use:   "set NAMESPACE/LIMIT",
		Short: "Set the bounds of a limit, from the next claim on",
		Long: `Set the bounds of a limit, for each of its keys, from the next claim on. All bounds are replaced: an omitted
bound is removed. With a concurrency of 0 no more steps start. Steps name their limit in the template with limit, and their
key with limit_key. With --key the command sets the bounds of one key, which replace all bounds of the limit for this key.`,
		Example: `  tasker limit set shop/stripe --concurrency 20
  tasker limit set shop/stripe --concurrency 20 --rate 100 --per 1m
  tasker limit set shop/tenant --key premium --concurrency 50
  tasker limit set shop/stripe --concurrency 0`,
		ValidArgsFunction: a.complete(a.limits),
	}, "an object of tasker.limit_details: set_limit(); with --key, of tasker.limit_key_details: set_limit_key()", func(ctx context.Context, args []string) (err error) {
		if params.Namespace, params.Name, err = parseLimit(args[0]); err != nil {
			return err
		}
		if per%time.Second != 0 {
			return &problem{Exit: exitUsage, Message: "--per is a whole number of seconds, not " + per.String()}
		}
		given := func(flag string, value int32) *int32 {
			if !command.Flags().Changed(flag) {
				return nil
			}
			return &value
		}
		params.Concurrency, params.Rate = given("concurrency", concurrency), given("rate", rate)
		params.Burst = burst
		if command.Flags().Changed("per") {
			params.PerSeconds = int32(per / time.Second)
		}
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		if command.Flags().Changed("key") {
			return a.setLimitKey(ctx, e, params, key)
		}
		limit, err := e.SetLimit(ctx, params, a.act)
		if err != nil {
			return err
		}
		return a.show(limit, func() error {
			return a.out.Say("%s limit %s/%s: %s, for each key\n", a.out.Paint("done:", term.Green), limit.Namespace, limit.Name, limitBounds(limit))
		})
	})
	flags := command.Flags()
	flags.StringVar(&key, "key", "", "one key of the limit, such as a customer; '' is the key of steps without a value")
	flags.Int32Var(&concurrency, "concurrency", 0, "how many steps may run at once")
	flags.Int32Var(&rate, "rate", 0, "how many steps may start in the time --per")
	flags.DurationVar(&per, "per", time.Second, "the time in which --rate steps may start")
	flags.Int32Var(&burst, "burst", 0, "how many steps may start at once after a pause (default: the number that --rate allows in a tenth of a second)")
	return a.acting(command)
}

func (a *app) setLimitKey(ctx context.Context, e *executor.SqlFunctionExecutor, p sqlfn.SetLimitParams, key string) error {
	k, err := e.SetLimitKey(ctx, sqlfn.SetLimitKeyParams{
		Namespace: p.Namespace, Name: p.Name, LimitKey: key, Concurrency: p.Concurrency, Rate: p.Rate, PerSeconds: p.PerSeconds, Burst: p.Burst,
	}, a.act)
	if err != nil {
		return err
	}
	return a.show(k, func() error {
		return a.out.Say("%s limit %s/%s: %s, for key %s\n", a.out.Paint("done:", term.Green), p.Namespace, p.Name, keyBounds(k), keyName(k.LimitKey))
	})
}

func (a *app) limitDrop() *cobra.Command {
	var key string
	var command *cobra.Command
	command = a.acting(a.leaf(cobra.Command{
		Use:   "drop NAMESPACE/LIMIT",
		Short: "Remove the bounds of a limit: steps that wait for it may start",
		Long: `Remove the bounds of a limit and of its keys: steps that wait for it may start. With --key only the own bounds
of one key are removed, so that the bounds of the limit apply to it.`,
		ValidArgsFunction: a.complete(a.limits),
	}, "an object: gone, false if steps name the limit, so that it stays without bounds; with --key, had: whether the key had bounds of its own", func(ctx context.Context, args []string) error {
		namespace, name, err := parseLimit(args[0])
		if err != nil {
			return err
		}
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		if command.Flags().Changed("key") {
			had, err := e.DropLimitKey(ctx, namespace, name, key, a.act)
			if err != nil {
				return err
			}
			return a.show(map[string]bool{"had": had}, func() error {
				if !had {
					return a.out.Say("key %s of limit %s had no bounds of its own\n", keyName(key), args[0])
				}
				return a.out.Say("done: the bounds of limit %s hold for key %s\n", args[0], keyName(key))
			})
		}
		gone, err := e.DropLimit(ctx, namespace, name, a.act)
		if err != nil {
			return err
		}
		return a.show(map[string]bool{"gone": gone}, func() error {
			if gone {
				return a.out.Say("done: limit %s is gone\n", args[0])
			}
			return a.out.Say("done: limit %s has no bounds; it stays, because steps name it\n", args[0])
		})
	}))
	command.Flags().StringVar(&key, "key", "", "one key of the limit; '' is the key of steps without a value")
	return command
}
