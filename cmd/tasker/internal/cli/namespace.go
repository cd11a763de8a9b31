package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

func (a *app) namespaceCommands() *cobra.Command {
	return a.group("namespace", "Namespaces: groups of templates with a queue of their own", "",
		a.namespaceList(), a.namespaceRegister(), a.namespacePause(), a.namespaceResume())
}

func (a *app) namespaceList() *cobra.Command {
	return a.leaf(cobra.Command{
		Use:   "list",
		Short: "List the namespaces, how each delivers work and whether it is paused",
	}, "an array of tasker.task_namespaces: list_namespaces()", func(ctx context.Context, _ []string) error {
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		namespaces, err := e.ListNamespaces(ctx)
		if err != nil {
			return err
		}
		return a.printNamespaces(namespaces)
	})
}

func (a *app) printNamespaces(namespaces []gen.TaskNamespace) error {
	table := term.NewTable("NAMESPACE", "TRANSPORT", "PRIORITY", "PAUSED", "DESCRIPTION").Yield("TRANSPORT", "PRIORITY")
	return list(a, namespaces, "there are no namespaces", table, func(n gen.TaskNamespace) []term.Cell {
		paused := ""
		if n.PausedAt != nil {
			paused = join(" by ", a.at(*n.PausedAt), text(n.PausedBy))
		}
		return []term.Cell{
			term.Text(n.Name), term.Text(n.Transport), number(n.PriorityModifier),
			term.Colored(paused, term.Yellow), term.Text(text(n.Description)),
		}
	})
}

func (a *app) namespaceRegister() *cobra.Command {
	var (
		description, transport, notify string
		priority                       float64
	)
	var command *cobra.Command
	command = a.leaf(cobra.Command{
		Use:   "register NAME",
		Short: "Create a namespace if it does not exist, and change the given settings",
		Long: `Create a namespace if it does not exist, and change the settings that are given. Applying a template
registers its namespace too.`,
		Example:           "  tasker namespace register shop --description 'Orders and returns' --transport pgmq",
		ValidArgsFunction: a.complete(a.namespaces),
	}, "an object of tasker.task_namespaces: register_namespace()", func(ctx context.Context, args []string) error {
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		request := sqlfn.RegisterNamespaceParams{Name: args[0]}
		for flag, set := range map[string]func(){
			"description": func() { request.Description = &description },
			"transport":   func() { request.Transport = transport },
			"notify":      func() { request.Notify = notify },
			"priority":    func() { request.PriorityModifier = &priority },
		} {
			if command.Flags().Changed(flag) {
				set()
			}
		}
		namespace, err := e.RegisterNamespace(ctx, request, a.act)
		if err != nil {
			return err
		}
		if a.json {
			return a.show(namespace, nil)
		}
		return a.printNamespaces([]gen.TaskNamespace{namespace})
	})
	flags := command.Flags()
	flags.StringVar(&description, "description", "", "what it is for")
	flags.StringVar(&transport, "transport", "", "table: workers claim steps; pgmq: messages announce steps, too; broker: messages deliver steps")
	flags.StringVar(&notify, "notify", "", "when NOTIFY announces steps: always, asleep (only while a client sleeps), off, default")
	flags.Float64VarP(&priority, "priority", "p", 0, "added to the priority of all its tasks")
	return a.acting(command)
}

func (a *app) namespacePause() *cobra.Command {
	return a.acting(a.leaf(cobra.Command{
		Use:               "pause NAME",
		Short:             "Stop handing out steps of a namespace; running steps finish",
		ValidArgsFunction: a.complete(a.namespaces),
	}, "an object: changed, false if it was paused already", func(ctx context.Context, args []string) error {
		return a.setPaused(ctx, args[0], "paused", func(e *executor.SqlFunctionExecutor) (bool, error) {
			return e.PauseNamespace(ctx, args[0], a.act)
		})
	}))
}

func (a *app) namespaceResume() *cobra.Command {
	return a.acting(a.leaf(cobra.Command{
		Use:               "resume NAME",
		Short:             "Hand out a paused namespace's steps again, and wake its workers",
		ValidArgsFunction: a.complete(a.namespaces),
	}, "an object: changed, false if it was not paused", func(ctx context.Context, args []string) error {
		return a.setPaused(ctx, args[0], "running", func(e *executor.SqlFunctionExecutor) (bool, error) {
			return e.ResumeNamespace(ctx, args[0], a.act)
		})
	}))
}

// setPaused pauses or resumes a namespace, and reports its state.
func (a *app) setPaused(ctx context.Context, name, what string, set func(*executor.SqlFunctionExecutor) (bool, error)) error {
	e, err := a.executor(ctx)
	if err != nil {
		return err
	}
	changed, err := set(e)
	if err != nil {
		return err
	}
	return a.show(map[string]bool{"changed": changed}, func() error {
		verb := "done"
		if !changed {
			verb = "nothing to do"
		}
		return a.out.Say("%s: namespace %s is %s\n", verb, name, what)
	})
}
