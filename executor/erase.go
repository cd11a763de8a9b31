package executor

import (
	"context"
	"iter"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

// Erase permanently erases the data of a task that has ended: its context, results, errors and all other data that callers passed. States,
// times and counts stay, and [Operate.Erasures] returns a digest of the erased data. If children is true, Erase also erases the tasks that
// the steps of the task started. Erase returns a row for each task, with the outcome "erased", or "already" if an earlier call erased the
// task. The error is ErrConflict if one of the tasks has not ended. by.Reason is required.
func (o Operate) Erase(ctx context.Context, task uuid.UUID, children bool, by By) ([]gen.TaskErasure, error) {
	return o.e.EraseTask(ctx, sqlfn.EraseTaskParams{TaskUUID: task, Children: children, Reason: by.Reason, Actor: by.Actor})
}

// EraseFilter says which tasks to erase. The filter needs at least one of Tags, Key, Namespace, Name and Until.
type EraseFilter struct {
	// Tags are the tags that a task must have, all of them.
	Tags []string
	// Key is the identity key that the task was created with.
	Key string
	// Namespace, Name and Version of the template. Default: any.
	Namespace, Name, Version string
	// Since and Until bound the time at which the tasks were requested.
	Since, Until time.Time
	// Children says whether EraseMany also erases the tasks that steps of these tasks started.
	Children bool
	// DryRun only lists the tasks, and says which tasks cannot be erased.
	DryRun bool
}

// EraseMany erases the tasks that the filter selects, and returns the outcome for each task. A task stays unchanged if it has not ended or
// if another transaction has locked it. EraseMany makes a call of the database for each 100 tasks. On a pool each of these calls is its own
// transaction, so an interrupted EraseMany has already erased the oldest tasks. by.Reason is required, except for a dry run.
func (o Operate) EraseMany(ctx context.Context, filter EraseFilter, by By) iter.Seq2[gen.TaskErasure, error] {
	return pagesOf(100, 0, func(last *gen.TaskErasure, rows int32) ([]gen.TaskErasure, error) {
		params := sqlfn.EraseTasksParams{
			Reason: by.Reason, Actor: by.Actor, Tags: filter.Tags, Key: filter.Key, Namespace: filter.Namespace, Name: filter.Name,
			Version: filter.Version, RequestedAfter: filter.Since, RequestedBefore: filter.Until, Children: filter.Children,
			DryRun: filter.DryRun, Limit: rows,
		}
		if last != nil {
			params.After = last.RootUUID
		}
		return o.e.EraseTasks(ctx, params)
	})
}

// Erasures lists the tasks that were erased, the newest first, with who erased them and why. Namespace "" stands for all namespaces.
func (o Operate) Erasures(ctx context.Context, namespace string) iter.Seq2[gen.ErasureDetail, error] {
	return pagesOf(1000, 0, func(last *gen.ErasureDetail, rows int32) ([]gen.ErasureDetail, error) {
		params := sqlfn.ListErasuresParams{Namespace: namespace, Limit: rows}
		if last != nil {
			params.Before = last.TaskUUID
		}
		return o.e.ListErasures(ctx, params)
	})
}
