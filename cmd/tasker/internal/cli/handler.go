package cli

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
)

func (a *app) handlerCommands() *cobra.Command {
	return a.group("handler", "Handlers: pause one in a namespace, and resume it", "docs/howto/mass-actions.md tells how a pause behaves.",
		a.handlerList(), a.handlerPause(), a.handlerResume())
}

// parseHandler reads NAMESPACE/HANDLER.
func parseHandler(text string) (namespace, handler string, err error) {
	namespace, handler, ok := strings.Cut(text, "/")
	if !ok || namespace == "" || handler == "" {
		return "", "", &problem{
			Exit: exitUsage, Message: "a handler is NAMESPACE/HANDLER, not " + quote(text), Hint: "tasker template show names the handlers of a template.",
		}
	}
	return namespace, handler, nil
}

// pausedHandlers returns the handlers that are paused.
func (a *app) pausedHandlers(ctx context.Context, e *executor.SqlFunctionExecutor) ([]string, error) {
	rows, err := e.ListHandlerPauses(ctx, "")
	return pluck(rows, err, func(p gen.HandlerPause) string { return p.Namespace + "/" + p.Handler })
}

func (a *app) handlerList() *cobra.Command {
	var namespace string
	command := a.leaf(cobra.Command{
		Use:   "list",
		Short: "List the handlers that are paused: since when, until when, by whom and why",
	}, "an array of tasker.handler_pauses: list_handler_pauses()", func(ctx context.Context, _ []string) error {
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		pauses, err := e.ListHandlerPauses(ctx, namespace)
		if err != nil {
			return err
		}
		now, err := e.Clock(ctx)
		if err != nil {
			return err
		}
		table := term.NewTable("HANDLER", "PAUSED", "BY", "UNTIL", "REASON").Yield("REASON", "BY")
		return list(a, pauses, "no handler is paused", table, func(p gen.HandlerPause) []term.Cell {
			until := term.Text(a.when(p.Until, now))
			if p.Until == nil {
				until = term.Text("it is resumed")
			} else if p.Until.Before(now) {
				until = term.Colored(until.String(), term.Yellow)
			}
			return []term.Cell{
				term.Text(p.Namespace + "/" + p.Handler), term.Text(span(now.Sub(p.PausedAt)) + " ago"), term.Text(p.PausedBy), until, term.Text(text(p.Reason)),
			}
		})
	})
	command.Flags().StringVarP(&namespace, "namespace", "n", "", "only of this namespace")
	a.completeFlag(command, "namespace", a.namespaces)
	return command
}

func (a *app) handlerPause() *cobra.Command {
	var until string
	command := a.acting(a.leaf(cobra.Command{
		Use:   "pause NAMESPACE/HANDLER",
		Short: "Stop handing out steps of a handler; running steps finish, and other handlers continue",
		Long: `Stop handing out steps of a handler. Running steps finish, and other handlers continue. The pause lasts until
the handler is resumed. When the time of --until has passed, the pause becomes an incident.`,
		Example: "  tasker handler pause shop/charge --until 2h --reason 'the bank does not answer'",
	}, "an object: changed, false if it was paused in the same way before", func(ctx context.Context, args []string) error {
		return a.changeHandler(ctx, args[0], "paused", func(e *executor.SqlFunctionExecutor, namespace, handler string, now time.Time) (bool, error) {
			end, err := parseTime("until", until, now, 1)
			if err != nil {
				return false, err
			}
			return e.PauseHandler(ctx, namespace, handler, end, a.act)
		})
	}))
	command.Flags().StringVar(&until, "until", "", "until this time, or for this span (default: no end)")
	return command
}

func (a *app) handlerResume() *cobra.Command {
	return a.acting(a.leaf(cobra.Command{
		Use:               "resume NAMESPACE/HANDLER",
		Short:             "Hand out a paused handler's steps again, and wake its workers",
		ValidArgsFunction: a.complete(a.pausedHandlers),
	}, "an object: changed, false if it was not paused", func(ctx context.Context, args []string) error {
		return a.changeHandler(ctx, args[0], "running", func(e *executor.SqlFunctionExecutor, namespace, handler string, _ time.Time) (bool, error) {
			return e.ResumeHandler(ctx, namespace, handler, a.act)
		})
	}))
}

// changeHandler pauses or resumes a handler, and reports its state.
func (a *app) changeHandler(
	ctx context.Context, name, what string, change func(e *executor.SqlFunctionExecutor, namespace, handler string, now time.Time) (bool, error),
) error {
	namespace, handler, err := parseHandler(name)
	if err != nil {
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
	changed, err := change(e, namespace, handler, now)
	if err != nil {
		return err
	}
	return a.show(map[string]bool{"changed": changed}, func() error {
		verb := "done"
		if !changed {
			verb = "nothing to do"
		}
		return a.out.Say("%s: handler %s is %s\n", verb, name, what)
	})
}
