package serve

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/direct"
)

var erasureOperations = group(
	"Erasures",
	write(http.MethodPost, "/v1/tasks/{task_uuid}/erase", "eraseTask", "Erase the data of a task that has ended, for good", eraseTask).
		and("States, times and counts stay. Each item says what became of a task: erased, or already. An open task is refused: cancel it first.").
		mayRefuse(http.StatusPreconditionRequired),
	inBatches(write(http.MethodPost, "/v1/tasks/erase", "eraseTasks", "Erase the data of the tasks that match every filter given, the oldest first", eraseTasks).
		and("One request is one batch and one transaction. Each item says what became of a task; with dry_run it is only found. "+
			"Send next_cursor as cursor, with the same filters, until it is null.").mayRefuse(http.StatusPreconditionRequired)),
	paged("/v1/erasures", "listErasures", "List the tasks whose data was erased, the newest first, with who, why and a digest of what was there", listErasures,
		func(_ erasureFilter, last gen.ErasureDetail) cursor {
			return afterUUID("listErasures", last.TaskUUID)
		}).sorted("list_erasures"),
)

// erased has the outcome of an erasure for a task and the tasks below it.
type erased struct {
	Items []gen.TaskErasure `json:"items" doc:"The task and, with children, the tasks that its steps started."`
}

type taskErasure struct {
	task
	Reason   string  `json:"reason" required:"true" doc:"Why; goes into the log of administration."`
	Children *bool   `json:"children,omitempty" doc:"Whether the tasks that its steps started are erased, too."`
	Actor    *string `json:"actor,omitempty" doc:"The person or system for whom; the log names it beside the token."`
}

func eraseTask(ctx context.Context, e *direct.Executor, in taskErasure) (erased, error) {
	rows, err := e.EraseTask(ctx, sqlfn.EraseTaskParams{
		TaskUUID: in.TaskUUID, Reason: in.Reason, Children: value(in.Children), Actor: value(in.Actor),
	})
	return erased{pageOf(rows).Items}, err
}

type taskErasures struct {
	batch
	Reason          string     `json:"reason" required:"true" doc:"Why; goes into the log of administration."`
	Tags            []string   `json:"tags,omitempty" doc:"With all of these tags."`
	Key             *string    `json:"key,omitempty" doc:"Created with this identity key."`
	Namespace       *string    `json:"namespace,omitempty" doc:"Of this namespace."`
	Name            *string    `json:"name,omitempty" doc:"Of templates of this name."`
	Version         *string    `json:"version,omitempty" doc:"Of templates of this version."`
	RequestedAfter  *time.Time `json:"requested_after,omitempty" doc:"Requested at this time or later."`
	RequestedBefore *time.Time `json:"requested_before,omitempty" doc:"Requested before this time."`
	Children        *bool      `json:"children,omitempty" doc:"Whether the tasks that their steps started are erased, too."`
	Actor           *string    `json:"actor,omitempty" doc:"The person or system for whom; the log names it beside the token."`
}

func eraseTasks(ctx context.Context, e *direct.Executor, in taskErasures) (pageBody[gen.TaskErasure], error) {
	after, err := in.Cursor.uuid("eraseTasks")
	if err != nil {
		return pageBody[gen.TaskErasure]{}, err
	}
	rows, err := e.EraseTasks(ctx, sqlfn.EraseTasksParams{
		Reason: in.Reason, Tags: in.Tags, Key: value(in.Key), Namespace: value(in.Namespace), Name: value(in.Name), Version: value(in.Version),
		RequestedAfter: value(in.RequestedAfter), RequestedBefore: value(in.RequestedBefore), Children: value(in.Children),
		After: value(after), Limit: in.size(), DryRun: value(in.DryRun), Actor: value(in.Actor),
	})
	return batchOf(in.batch, rows, err, func(last gen.TaskErasure) cursor { return afterUUID("eraseTasks", last.RootUUID) })
}

type erasureFilter struct {
	paging
	TaskUUID  *uuid.UUID `query:"task_uuid" doc:"Of this task."`
	Namespace *string    `query:"namespace" doc:"Of tasks of this namespace."`
}

func listErasures(ctx context.Context, e *direct.Executor, in erasureFilter) ([]gen.ErasureDetail, error) {
	before, err := in.Cursor.uuid("listErasures")
	if err != nil {
		return nil, err
	}
	return e.ListErasures(ctx, sqlfn.ListErasuresParams{
		TaskUUID: value(in.TaskUUID), Namespace: value(in.Namespace), Before: value(before), Limit: in.Limit,
	})
}
