package direct

import (
	"context"
	"fmt"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

// StartRequest asks for a task and for its first steps.
type StartRequest struct {
	executor.TaskRequest
	// ClaimRequest names the worker, its handlers and the length of its lease. Limit 0 claims nothing. Namespaces and
	// RequestUUID are not used, since a repeated call finds the task and claims nothing.
	ClaimRequest
}

// StartedTask is a task that was created or found, and the steps that were claimed with it.
type StartedTask struct {
	executor.TaskCreation
	Claimed []gen.ClaimedStep
}

// StartTask makes one task of a template, as CreateTask does, and claims its first steps in the same call. It claims no step if
// an earlier request has made the task, if the task does not start at once, or if its namespace is paused. StartTask runs in a
// transaction of its own. ErrConflict says that the caller's transaction has already written.
func (e *Executor) StartTask(ctx context.Context, request StartRequest) (StartedTask, error) {
	if request.Debounce != 0 || request.DebounceLongest != 0 {
		return StartedTask{}, fmt.Errorf("%w: a task that is started at once cannot be debounced; use CreateTask", executor.ErrInvalid)
	}
	if request.ThrottleWait {
		return StartedTask{}, fmt.Errorf("%w: a task that is started at once cannot wait for its turn; use CreateTask", executor.ErrInvalid)
	}
	task, err := jsonObject(request.Context)
	if err != nil {
		return StartedTask{}, fmt.Errorf("context: %w", err)
	}
	headers, err := jsonObject(request.Headers)
	if err != nil {
		return StartedTask{}, fmt.Errorf("headers: %w", err)
	}
	rows, err := e.Functions.StartTask(ctx, sqlfn.StartTaskParams{
		Namespace:           request.Namespace,
		Name:                request.Name,
		WorkerUUID:          request.WorkerUUID,
		Context:             task,
		Handlers:            request.Handlers,
		Limit:               int32(request.Limit),
		LeaseSeconds:        seconds(request.Lease),
		Version:             request.Version,
		IdentityKey:         request.IdentityKey,
		TaskUUID:            request.TaskUUID,
		Priority:            request.Priority,
		Tags:                request.Tags,
		Initiator:           request.Initiator,
		SourceSystem:        request.SourceSystem,
		Reason:              request.Reason,
		CorrelationID:       request.CorrelationID,
		ParentCorrelationID: request.ParentCorrelationID,
		Headers:             headers,
		StartAt:             request.StartAt,
		Deferred:            request.Deferred,
		Deadline:            request.Deadline,
		IdentityTTL:         request.IdentityTTL,
		IdentityScope:       string(request.IdentityScope),
		ThrottleLimit:       request.ThrottleLimit,
		ThrottleSeconds:     seconds(request.ThrottlePeriod),
		ThrottleKey:         request.ThrottleKey,
	})
	if err != nil {
		return StartedTask{}, err
	}

	var started StartedTask
	for _, row := range rows {
		started.TaskCreation = executor.TaskCreation{Position: 1, TaskUUID: row.TaskUUID, Created: row.Created}
		if row.StepUUID == nil {
			continue
		}
		started.Claimed = append(started.Claimed, claimed(gen.StepExchange{
			StepUUID: *row.StepUUID, ClaimNo: *row.ClaimNo, TaskUUID: &row.TaskUUID, StepNo: row.StepNo,
			Namespace: row.Namespace, TaskName: row.TaskName, TaskVersion: row.TaskVersion,
			Name: row.Name, Handler: row.Handler,
			Attempt: row.Attempt, MaxAttempts: row.MaxAttempts, LostCount: row.LostCount, Priority: row.Priority,
			LeaseUntil: row.LeaseUntil, TimeoutSeconds: row.TimeoutSeconds,
			CorrelationID: row.CorrelationID, ParentCorrelationID: row.ParentCorrelationID,
			Headers: row.Headers, Inputs: row.Inputs, Checkpoint: row.Checkpoint, LastError: row.LastError,
			Context: row.Context, ParentResults: row.ParentResults,
		}))
	}
	return started, nil
}
