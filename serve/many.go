package serve

import (
	"context"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/direct"
)

type taskCancellations struct {
	batch
	Reason          string     `json:"reason" required:"true" doc:"Why; goes into the history of each task."`
	State           *string    `json:"state,omitempty" doc:"In this state, which is that of an open task; any of them if it is left out."`
	Namespace       *string    `json:"namespace,omitempty" doc:"Of this namespace."`
	Name            *string    `json:"name,omitempty" doc:"Of templates of this name."`
	Version         *string    `json:"version,omitempty" doc:"Of templates of this version."`
	Tags            []string   `json:"tags,omitempty" doc:"With all of these tags."`
	RequestedAfter  *time.Time `json:"requested_after,omitempty" doc:"Requested at this time or later."`
	RequestedBefore *time.Time `json:"requested_before,omitempty" doc:"Requested before this time."`
	SelectionUUID   *uuid.UUID `json:"selection_uuid,omitempty" doc:"Of this selection, without a further filter."`
	Actor           *string    `json:"actor,omitempty" doc:"The person or system for whom; the history names it beside the token."`
}

func cancelTasks(ctx context.Context, e *direct.Executor, in taskCancellations) (pageBody[gen.TaskCancellation], error) {
	after, err := in.Cursor.uuid("cancelTasks")
	if err != nil {
		return pageBody[gen.TaskCancellation]{}, err
	}
	cancelled, err := e.CancelTasks(ctx, sqlfn.CancelTasksParams{
		Reason: in.Reason, State: value(in.State), Namespace: value(in.Namespace), Name: value(in.Name), Version: value(in.Version), Tags: in.Tags,
		RequestedAfter: value(in.RequestedAfter), RequestedBefore: value(in.RequestedBefore), SelectionUUID: value(in.SelectionUUID),
		After: value(after), Limit: in.size(), DryRun: value(in.DryRun), Actor: value(in.Actor),
	})
	return batchOf(in.batch, cancelled, err, func(last gen.TaskCancellation) cursor { return afterUUID("cancelTasks", last.TaskUUID) })
}

type stepRetries struct {
	batch
	Reason        string     `json:"reason" required:"true" doc:"Why; goes into the history of each step."`
	State         *string    `json:"state,omitempty" enum:"error waiting_for_retry" doc:"In this state; error if it is left out."`
	Namespace     *string    `json:"namespace,omitempty" doc:"Of this namespace."`
	Name          *string    `json:"name,omitempty" doc:"Of templates of this name."`
	Version       *string    `json:"version,omitempty" doc:"Of templates of this version."`
	Step          *string    `json:"step,omitempty" doc:"Steps of this name."`
	Error         *string    `json:"error,omitempty" doc:"With this text in the last error, in any case."`
	SelectionUUID *uuid.UUID `json:"selection_uuid,omitempty" doc:"Of this selection, without a further filter."`
	Actor         *string    `json:"actor,omitempty" doc:"The person or system for whom; the history names it beside the token."`
}

func retrySteps(ctx context.Context, e *direct.Executor, in stepRetries) (pageBody[gen.StepRetry], error) {
	after, err := in.Cursor.uuid("retrySteps")
	if err != nil {
		return pageBody[gen.StepRetry]{}, err
	}
	retried, err := e.RetrySteps(ctx, sqlfn.RetryStepsParams{
		Reason: in.Reason, State: value(in.State), Namespace: value(in.Namespace), Name: value(in.Name), Version: value(in.Version),
		Step: value(in.Step), Error: value(in.Error), SelectionUUID: value(in.SelectionUUID),
		After: value(after), Limit: in.size(), DryRun: value(in.DryRun), Actor: value(in.Actor),
	})
	return batchOf(in.batch, retried, err, func(last gen.StepRetry) cursor { return afterUUID("retrySteps", last.StepUUID) })
}
