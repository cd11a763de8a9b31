package executor

import (
	"context"
	"iter"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/state"
)

// CancelFilter says which open tasks to cancel, by filters or by a selection. CancelMany refuses a CancelFilter without filters and without
// a selection.
type CancelFilter struct {
	// Namespace, Name and Version of the template. Default: any.
	Namespace, Name, Version string
	// State of the tasks. Default: any state of an open task.
	State state.TaskState
	// Tags are the tags that a task must have, all of them.
	Tags []string
	// Since and Until bound the time at which the tasks were requested.
	Since, Until time.Time
	// Selection is a selection of tasks, without a further filter.
	Selection uuid.UUID
	// DryRun only lists the tasks that would be cancelled.
	DryRun bool
	// Limit is how many tasks to cancel at most. Default: all.
	Limit int
}

// CancelMany cancels the open tasks that the filter selects, and returns the outcome for each task. It makes a call of the database for
// each 100 tasks. On a pool each of these calls is its own transaction. by.Reason is required.
func (o Operate) CancelMany(ctx context.Context, filter CancelFilter, by By) iter.Seq2[gen.TaskCancellation, error] {
	return pagesOf(100, filter.Limit, func(last *gen.TaskCancellation, rows int32) ([]gen.TaskCancellation, error) {
		params := sqlfn.CancelTasksParams{
			Reason: by.Reason, Actor: by.Actor, State: string(filter.State), Namespace: filter.Namespace, Name: filter.Name,
			Version: filter.Version, Tags: filter.Tags, RequestedAfter: filter.Since, RequestedBefore: filter.Until,
			SelectionUUID: filter.Selection, DryRun: filter.DryRun, Limit: rows,
		}
		if last != nil {
			params.After = last.TaskUUID
		}
		return o.e.CancelTasks(ctx, params)
	})
}

// RetryFilter says which steps to retry, by filters or by a selection. RetryMany refuses a RetryFilter without filters and without a
// selection.
type RetryFilter struct {
	// Namespace, Name and Version of the template. Default: any.
	Namespace, Name, Version string
	// Step is the name of the step. Default: any.
	Step string
	// Error is a text that the last error of the step contains. Upper and lower case do not matter. Default: any error.
	Error string
	// State of the steps: steps that have failed, or steps that wait for their next attempt. The next attempt of a waiting step then begins
	// at once. Default: steps that have failed.
	State state.StepState
	// Selection is a selection of steps, without a further filter.
	Selection uuid.UUID
	// DryRun only lists the steps that would be retried.
	DryRun bool
	// Limit is how many steps to retry at most. Default: all.
	Limit int
}

// RetryMany retries the steps that the filter selects, and returns the outcome for each step. It makes a call of the database for each 100
// steps. On a pool each of these calls is its own transaction. by.Reason is required.
func (o Operate) RetryMany(ctx context.Context, filter RetryFilter, by By) iter.Seq2[gen.StepRetry, error] {
	return pagesOf(100, filter.Limit, func(last *gen.StepRetry, rows int32) ([]gen.StepRetry, error) {
		params := sqlfn.RetryStepsParams{
			Reason: by.Reason, Actor: by.Actor, State: string(filter.State), Namespace: filter.Namespace, Name: filter.Name,
			Version: filter.Version, Step: filter.Step, Error: filter.Error, SelectionUUID: filter.Selection, DryRun: filter.DryRun, Limit: rows,
		}
		if last != nil {
			params.After = last.StepUUID
		}
		return o.e.RetrySteps(ctx, params)
	})
}
