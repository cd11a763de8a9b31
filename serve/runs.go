package serve

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/direct"
)

var runOperations = group(
	"Runs by key",
	list("/v1/runs", "listRuns", "List the tasks that have a place of their key, and those that wait for one",
		func(ctx context.Context, e *direct.Executor, in runFilter) ([]gen.RunDetail, error) {
			return e.ListRuns(ctx, sqlfn.ListRunsParams{Namespace: in.Namespace, Name: in.Name, RunKey: in.RunKey, Limit: in.Limit})
		}).sorted("list_runs").
		and("In the order of each key's line. Only templates with the field runs bound how many of their tasks run at once."),
	write(http.MethodPost, "/v1/tasks/{task_uuid}/skip-run", "skipBlockedRun", "Let the runs of a key go on without a task that has failed or is blocked",
		func(ctx context.Context, e *direct.Executor, in skippedRun) (changedBody, error) {
			return changed(e.SkipBlockedRun(ctx, in.TaskUUID, value(in.Reason), in.act()))
		}).
		and("A blocked task is given up first. The next task in line starts."),
)

type runFilter struct {
	Namespace string `query:"namespace" json:"-" required:"true" doc:"The namespace of the templates."`
	Name      string `query:"name" json:"-" doc:"Only of the template with this name."`
	RunKey    string `query:"run_key" json:"-" doc:"Only of this key."`
	limitedTo
}

type skippedRun struct {
	TaskUUID uuid.UUID `path:"task_uuid" json:"-" doc:"The task."`
	intent
}
