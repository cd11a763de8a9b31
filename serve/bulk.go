package serve

import (
	"context"
	"time"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/direct"
)

// batch describes one batch of a change of many things.
type batch struct {
	DryRun *bool   `json:"dry_run,omitempty" doc:"Whether nothing is changed, and the answer says what would be."`
	Cursor *cursor `json:"cursor,omitempty" doc:"next_cursor of the batch before; without it the first batch."`
	Limit  *int32  `json:"limit,omitempty" minimum:"1" maximum:"1000" doc:"How many at most; 100 if it is left out."`
}

// size is how many things the batch has at most.
func (b batch) size() int32 {
	if b.Limit == nil {
		return 100
	}
	return *b.Limit
}

// batchOf is the answer of a batch: its rows and, if the batch was full, the beginning of the next batch.
func batchOf[Row any](b batch, rows []Row, err error, after func(last Row) cursor) (pageBody[Row], error) {
	page := pageOf(rows)
	if err == nil && len(rows) > 0 && len(rows) >= int(b.size()) {
		page.NextCursor = new(after(rows[len(rows)-1]))
	}
	return page, err
}

// inBatches marks a writing operation whose answer may have a next_cursor.
func inBatches(o operation) operation {
	o.paged = true
	return o
}

type taskResets struct {
	batch
	Reason          string     `json:"reason" required:"true" doc:"Why; goes into the history of each task."`
	State           *string    `json:"state,omitempty" enum:"blocked_by_failures error" doc:"In this state; blocked_by_failures if it is left out."`
	Namespace       *string    `json:"namespace,omitempty" doc:"Of this namespace."`
	Name            *string    `json:"name,omitempty" doc:"Of templates of this name."`
	Version         *string    `json:"version,omitempty" doc:"Of templates of this version."`
	Tags            []string   `json:"tags,omitempty" doc:"With all of these tags."`
	RequestedAfter  *time.Time `json:"requested_after,omitempty" doc:"Requested at this time or later."`
	RequestedBefore *time.Time `json:"requested_before,omitempty" doc:"Requested before this time."`
	Actor           *string    `json:"actor,omitempty" doc:"The person or system for whom; the history names it beside the token."`
}

func resetTasks(ctx context.Context, e *direct.Executor, in taskResets) (pageBody[gen.TaskReset], error) {
	after, err := in.Cursor.uuid("resetTasks")
	if err != nil {
		return pageBody[gen.TaskReset]{}, err
	}
	if in.State == nil {
		in.State = new("blocked_by_failures")
	}
	reset, err := e.ResetTasks(ctx, sqlfn.ResetTasksParams{
		Reason: in.Reason, State: *in.State, Namespace: value(in.Namespace), Name: value(in.Name), Version: value(in.Version), Tags: in.Tags,
		RequestedAfter: value(in.RequestedAfter), RequestedBefore: value(in.RequestedBefore), After: value(after), Limit: in.size(),
		DryRun: value(in.DryRun), Actor: value(in.Actor),
	})
	return batchOf(in.batch, reset, err, func(last gen.TaskReset) cursor { return afterUUID("resetTasks", last.TaskUUID) })
}

type deadLetterRequeues struct {
	batch
	Notes     string  `json:"notes" required:"true" doc:"What was done."`
	Actor     *string `json:"actor,omitempty" doc:"The person or system for whom; the investigation names it beside the token."`
	Reason    *string `json:"reason,omitempty" doc:"Opened for this reason."`
	Namespace *string `json:"namespace,omitempty" doc:"Of tasks of this namespace."`
}

func requeueDeadLetters(ctx context.Context, e *direct.Executor, in deadLetterRequeues) (pageBody[gen.DLQRequeue], error) {
	after, err := in.Cursor.uuid("requeueDeadLetters")
	if err != nil {
		return pageBody[gen.DLQRequeue]{}, err
	}
	requeued, err := e.RequeueDLQEntries(ctx, sqlfn.RequeueDLQEntriesParams{
		Notes: in.Notes, Reason: value(in.Reason), Namespace: value(in.Namespace), After: value(after), Limit: in.size(), DryRun: value(in.DryRun),
	}, executor.By{Actor: value(in.Actor)})
	return batchOf(in.batch, requeued, err, func(last gen.DLQRequeue) cursor { return afterUUID("requeueDeadLetters", last.DLQEntryUUID) })
}
