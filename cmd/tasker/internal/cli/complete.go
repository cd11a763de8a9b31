package cli

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/state"
)

// completeWithin is how long a shell waits for the database when it completes a word.
const completeWithin = 2 * time.Second

// names lists the words to offer.
type names func(ctx context.Context, e *executor.SqlFunctionExecutor) ([]string, error)

// complete completes a command's first argument. If the database does not answer, it offers nothing, since an error message
// would appear in the middle of the command line.
func (a *app) complete(from names) cobra.CompletionFunc {
	return func(command *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return a.completions(command, from)
	}
}

// completeFlag completes a flag's value.
func (a *app) completeFlag(command *cobra.Command, flag string, from names) {
	err := command.RegisterFlagCompletionFunc(flag, func(command *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		return a.completions(command, from)
	})
	if err != nil {
		panic(err) // The command has no such flag, which is a bug in this package.
	}
}

func (a *app) completions(command *cobra.Command, from names) ([]string, cobra.ShellCompDirective) {
	ctx, cancel := context.WithTimeout(command.Context(), completeWithin)
	defer cancel()
	e, err := a.executor(ctx)
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	found, err := from(ctx, e)
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	return found, cobra.ShellCompDirectiveNoFileComp
}

// pluck returns one text of each row.
func pluck[T any](rows []T, err error, name func(T) string) ([]string, error) {
	found := make([]string, len(rows))
	for i, row := range rows {
		found[i] = name(row)
	}
	return found, err
}

func (a *app) namespaces(ctx context.Context, e *executor.SqlFunctionExecutor) ([]string, error) {
	rows, err := e.ListNamespaces(ctx)
	return pluck(rows, err, func(n gen.TaskNamespace) string { return n.Name })
}

func (a *app) templates(ctx context.Context, e *executor.SqlFunctionExecutor) ([]string, error) {
	rows, err := e.ListTaskTemplates(ctx, "")
	return pluck(rows, err, func(t gen.TaskTemplateSummary) string { return t.Namespace + "/" + t.Name + "@" + t.Version })
}

func (a *app) queues(ctx context.Context, e *executor.SqlFunctionExecutor) ([]string, error) {
	rows, err := e.GetQueueStatistics(ctx, "")
	return pluck(rows, err, func(q gen.QueueStatistics) string { return q.QueueName })
}

func (a *app) settings(ctx context.Context, e *executor.SqlFunctionExecutor) ([]string, error) {
	rows, err := e.ListSettings(ctx)
	return pluck(rows, err, func(s executor.Setting) string { return s.Name + "\t" + s.Value })
}

// taskStates completes without a database.
var taskStates = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	found, _ := pluck(state.TaskStates(), nil, func(s state.TaskState) string { return string(s) })
	return append(found, "open"), cobra.ShellCompDirectiveNoFileComp
}
