package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

func (a *app) templatePause() *cobra.Command {
	var (
		until  string
		shared bool
	)
	command := a.acting(a.leaf(cobra.Command{
		Use:   "pause TEMPLATE",
		Short: "Stop handing out steps of a template: pause its handlers, of all versions",
		Long: `Stop handing out steps of a template: all handlers of its steps and compensations are paused in its namespace, of all versions.
Running steps finish, and tasks can still be created. If other templates of the namespace use one of the handlers, the pause is
refused unless --shared is given. The pause lasts until the template is resumed. When the time of --until has passed, the
pause becomes an incident.`,
		Example:           "  tasker template pause shop/order --until 2h --reason 'version 7 charges twice'",
		ValidArgsFunction: a.complete(a.templates),
	}, "an object: handlers, the names of the handlers that are paused for the template", func(ctx context.Context, args []string) error {
		return a.changeTemplate(ctx, args[0], "paused", func(e *executor.SqlFunctionExecutor, r reference) ([]string, error) {
			now, err := e.Clock(ctx)
			if err != nil {
				return nil, err
			}
			end, err := parseTime("until", until, now, 1)
			if err != nil {
				return nil, err
			}
			return e.PauseTemplate(ctx, sqlfn.PauseTemplateParams{Namespace: r.namespace, Name: r.name, Until: end, Shared: shared}, a.act)
		})
	}))
	command.Flags().StringVar(&until, "until", "", "until this time, or for this span (default: no end)")
	command.Flags().BoolVar(&shared, "shared", false, "also pause handlers that other templates of the namespace use")
	return command
}

func (a *app) templateResume() *cobra.Command {
	return a.acting(a.leaf(cobra.Command{
		Use:               "resume TEMPLATE",
		Short:             "Hand out a paused template's steps again, and wake the workers",
		ValidArgsFunction: a.complete(a.templates),
	}, "an object: handlers, the names of the handlers that are resumed", func(ctx context.Context, args []string) error {
		return a.changeTemplate(ctx, args[0], "resumed", func(e *executor.SqlFunctionExecutor, r reference) ([]string, error) {
			return e.ResumeTemplate(ctx, r.namespace, r.name, a.act)
		})
	}))
}

// changeTemplate pauses or resumes a template, and reports its handlers.
func (a *app) changeTemplate(ctx context.Context, name, what string, change func(e *executor.SqlFunctionExecutor, r reference) ([]string, error)) error {
	r, err := parseReference(name)
	if err != nil {
		return err
	}
	if r.version != nil {
		return &problem{
			Exit: exitUsage, Message: "a template is " + what + " with all its versions: NAMESPACE/NAME, not " + quote(name),
			Hint: "tasker handler pause pauses a single handler.",
		}
	}
	e, err := a.executor(ctx)
	if err != nil {
		return err
	}
	handlers, err := change(e, r)
	if err != nil {
		return err
	}
	return a.show(map[string][]string{"handlers": handlers}, func() error {
		if len(handlers) == 0 {
			return a.out.Say("nothing to do: no handler is %s for template %s\n", what, name)
		}
		return a.out.Say("done: template %s is %s, with the handlers %s\n", name, what, term.Clean(strings.Join(handlers, ", ")))
	})
}
