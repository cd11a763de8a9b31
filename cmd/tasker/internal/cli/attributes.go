package cli

import (
	"context"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
)

func (a *app) taskAttributesList() *cobra.Command {
	return a.leaf(cobra.Command{
		Use:   "attributes [NAMESPACE]",
		Short: "List the attributes by which tasks are searched and sorted",
		Long: `List the attributes that templates declare in their field attributes. tasker task list searches and sorts by
attributes, with --attribute NAME=VALUE and --sort=attribute.NAME. See docs/howto/search.md.`,
		Example: "  tasker task attributes shop",
		Args:    cobra.MaximumNArgs(1),
	}, "an array of tasker.attribute_details: list_attributes()", func(ctx context.Context, args []string) error {
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		attributes, err := e.ListAttributes(ctx, strings.Join(args, ""))
		if err != nil {
			return err
		}
		table := term.NewTable("NAMESPACE", "ATTRIBUTE", "TYPE", "TEMPLATES")
		return list(a, attributes, "no template declares an attribute", table, func(d gen.AttributeDetail) []term.Cell {
			return []term.Cell{term.Text(d.Namespace), term.Text(d.Name), term.Text(d.Type), term.Text(join(", ", d.Templates...))}
		})
	})
}

// taskAttributes returns the attributes of each task as a line.
func taskAttributes(ctx context.Context, e *executor.SqlFunctionExecutor, tasks []executor.TaskDetail) (map[uuid.UUID]string, error) {
	uuids := make([]uuid.UUID, len(tasks))
	for i, t := range tasks {
		uuids[i] = t.TaskUUID
	}
	values, err := e.GetTaskAttributes(ctx, uuids)
	lines := map[uuid.UUID]string{}
	for _, v := range values {
		lines[v.TaskUUID] = join(", ", lines[v.TaskUUID], attributeLine(v))
	}
	return lines, err
}

// attributeLine returns an attribute with its value, or with the problem of its value.
func attributeLine(v gen.AttributeValue) string {
	if v.Problem != nil {
		return v.Name + " (" + *v.Problem + ")"
	}
	return v.Name + "=" + strings.Trim(string(v.Value), `"`)
}
