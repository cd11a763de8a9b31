package serve

import (
	"context"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/direct"
)

var attributeOperations = group(
	"Search attributes",
	list("/v1/attributes", "listAttributes", "List the attributes that templates declare",
		func(ctx context.Context, e *direct.Executor, in attributeFilter) ([]gen.AttributeDetail, error) {
			return e.ListAttributes(ctx, value(in.Namespace))
		}).
		and("Tasks are listed by them: attribute and sort of listTasks."),
	list("/v1/task-attributes", "getTaskAttributes", "List the attributes of tasks",
		func(ctx context.Context, e *direct.Executor, in progressOf) ([]gen.AttributeValue, error) {
			tasks, err := in.tasks()
			if err != nil {
				return nil, err
			}
			return e.GetTaskAttributes(ctx, tasks)
		}).
		and("In the order of the tasks, and by name."),
)

type attributeFilter struct {
	Namespace *string `query:"namespace" json:"-" doc:"Of this namespace."`
}
