package cli

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
)

func (a *app) sqlCommands() *cobra.Command {
	return a.group("sql", "SQL steps: functions of the database that steps name, and the role that they run as",
		"docs/howto/sql-steps.md tells how a system runs with them.", a.sqlList(), a.sqlBind(), a.sqlUnbind(), a.sqlRun())
}

func (a *app) sqlList() *cobra.Command {
	var namespace string
	command := a.leaf(cobra.Command{
		Use:   "list",
		Short: "List the SQL functions that steps name, with their roles, and why steps cannot run",
	}, "an array of tasker.sql_function_details: list_sql_functions()", func(ctx context.Context, _ []string) error {
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		functions, err := e.ListSQLFunctions(ctx, namespace)
		if err != nil {
			return err
		}
		table := term.NewTable("NAMESPACE", "FUNCTION", "ROLE", "TEMPLATES", "PROBLEM")
		return list(a, functions, "no step names a function, and no role is bound", table, func(f gen.SQLFunction) []term.Cell {
			return []term.Cell{
				term.Text(f.Namespace).Uncut(), term.Text(text(f.Function)), term.Text(text(f.Role)), number(float64(f.Templates)), term.Text(text(f.Problem)),
			}
		})
	})
	command.Flags().StringVarP(&namespace, "namespace", "n", "", "only of this namespace")
	a.completeFlag(command, "namespace", a.namespaces)
	return a.watched(command)
}

func (a *app) sqlBind() *cobra.Command {
	return a.acting(a.leaf(cobra.Command{
		Use:   "bind NAMESPACE ROLE",
		Short: "Bind the role that the SQL steps of a namespace run as",
		Long: `Bind the role that the SQL steps of a namespace run as. First a role that may grant it must agree: grant
shop_steps to tasker_owner. Give the role only the rights that the functions need.`,
		Example:           `  tasker sql bind shop shop_steps --reason "steps that are SQL"`,
		ValidArgsFunction: a.complete(a.namespaces),
	}, "an object: bound, false if the role was bound already", func(ctx context.Context, args []string) error {
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		bound, err := e.BindSQLRole(ctx, args[0], args[1], a.act)
		if err != nil {
			return err
		}
		return a.show(map[string]bool{"bound": bound}, func() error {
			return a.out.Say("%s SQL steps of namespace %s run as role %s\n", a.out.Paint("done:", term.Green), args[0], args[1])
		})
	}))
}

func (a *app) sqlUnbind() *cobra.Command {
	return a.acting(a.leaf(cobra.Command{
		Use:               "unbind NAMESPACE",
		Short:             "Unbind the role of a namespace's SQL steps: the steps wait until a role is bound again",
		ValidArgsFunction: a.complete(a.namespaces),
	}, "an object: unbound, false if no role was bound", func(ctx context.Context, args []string) error {
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		unbound, err := e.UnbindSQLRole(ctx, args[0], a.act)
		if err != nil {
			return err
		}
		return a.show(map[string]bool{"unbound": unbound}, func() error {
			return a.out.Say("%s SQL steps of namespace %s wait until a role is bound\n", a.out.Paint("done:", term.Green), args[0])
		})
	}))
}

func (a *app) sqlRun() *cobra.Command {
	var namespaces []string
	command := a.leaf(cobra.Command{
		Use:   "run",
		Short: "Run the SQL steps that are ready, until none is",
		Long: `Run SQL steps until no SQL step is ready, each in the transaction that records its result. Workers, tasker
orchestrate and pg_cron do the same periodically.`,
	}, "an object: completed, failed", func(ctx context.Context, _ []string) error {
		pool, err := a.connect(ctx)
		if err != nil {
			return err
		}
		var all gen.SQLRun
		for more := true; more; {
			more = false
			for _, alone := range []bool{false, true} {
				err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
					e := executor.New(tx)
					if alone {
						if chosen, err := e.BeginSQLStep(ctx, namespaces); err != nil || !chosen {
							return err
						}
					}
					done, err := e.RunSQLSteps(ctx, 25, namespaces)
					all.Completed, all.Failed, more = all.Completed+done.Completed, all.Failed+done.Failed, more || done.More
					return err
				})
				if err != nil {
					return err
				}
			}
		}
		return a.show(map[string]int32{"completed": all.Completed, "failed": all.Failed}, func() error {
			return a.out.Say("%s %d steps completed, %d failed\n", a.out.Paint("done:", term.Green), all.Completed, all.Failed)
		})
	})
	command.Flags().StringSliceVarP(&namespaces, "namespace", "n", nil, "only of these namespaces")
	a.completeFlag(command, "namespace", a.namespaces)
	return command
}
