package executor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pgtasker/pgtasker/gen"
)

// Signal is a signal to a task. Only Name must be set.
type Signal struct {
	Name string
	// Payload is any JSON value. The result of the step that takes the signal contains the payload. Default: {}.
	Payload json.RawMessage
	// IdempotencyKey recognises a repeated signal of a task, such as the number of a webhook. Default: none, so that each call sends
	// another signal.
	IdempotencyKey string
}

// TaskKey names a task of a template whose identity strategy is caller_provided.
type TaskKey struct {
	Namespace, Name, IdentityKey string
}

// SignalStart says how SendSignalByKey creates a task that does not exist. The zero value takes all defaults.
type SignalStart struct {
	// Context is the JSON object that the task's handlers get. Default: {}.
	Context json.RawMessage
	// Version of the template. Default: the newest that is not retired.
	Version string
	// Priority is a number from -1000 to 1000. Default: 0.
	Priority int32
	// Tags by which the task can be found. Default: none.
	Tags []string
	// Initiator says who requested the task. Default: unknown.
	Initiator string
	// Headers is a JSON object handed to handlers. Default: {}.
	Headers json.RawMessage
	// IdentityScope says how long the key belongs to the task. With IdentityWhileOpen the key is free again when the task has ended, and
	// the next signal starts another task. Default: the scope of the key's last task, or IdentityForever if the key has no task.
	IdentityScope IdentityScope
}

// SendSignal sends a signal to a task. A step that waits for the signal is complete when the call returns, and the task has advanced to its
// next steps that have a handler. If no step waits for the signal, the signal is kept for the first step that waits for it. The error is
// ErrNotFound if the task does not exist, ErrConflict if the task has ended, ErrInvalid if the payload does not fit its schema in the
// template, and ErrForbidden if the step is assigned to another role.
func (e *SqlFunctionExecutor) SendSignal(ctx context.Context, taskUUID uuid.UUID, signal Signal) (gen.SignalAnswer, error) {
	payload, err := signal.payload()
	if err != nil {
		return gen.SignalAnswer{}, err
	}
	if payload, err = e.sealPayload(ctx, taskUUID, signal.Name, payload); err != nil {
		return gen.SignalAnswer{}, err
	}
	row, err := e.q.SendSignal(ctx, gen.SendSignalParams{
		TaskUUID: taskUUID, Name: signal.Name, Payload: payload, IdempotencyKey: optional(signal.IdempotencyKey),
	})
	return row, err
}

// SendSignalByKey sends a signal to the task with this identity key, as SendSignal does. If start is not nil, a missing task is created
// first. So a webhook that arrives before its task exists is not lost. If start is nil, the error for a missing task is ErrNotFound.
func (e *SqlFunctionExecutor) SendSignalByKey(
	ctx context.Context, key TaskKey, signal Signal, start *SignalStart,
) (gen.SignalAnswer, error) {
	payload, err := signal.payload()
	if err != nil {
		return gen.SignalAnswer{}, err
	}
	starts := start != nil
	if start == nil {
		start = &SignalStart{}
	}
	task, err := jsonObject(start.Context)
	if err != nil {
		return gen.SignalAnswer{}, fmt.Errorf("context: %w", err)
	}
	headers, err := jsonObject(start.Headers)
	if err != nil {
		return gen.SignalAnswer{}, fmt.Errorf("headers: %w", err)
	}
	if e.codec != nil {
		if task, payload, err = e.sealKeyed(ctx, key, start.Version, signal.Name, task, payload); err != nil {
			return gen.SignalAnswer{}, err
		}
	}
	row, err := e.q.SendSignalByKey(ctx, gen.SendSignalByKeyParams{
		Namespace: key.Namespace, TaskName: key.Name, IdentityKey: key.IdentityKey,
		Name: signal.Name, Payload: payload, IdempotencyKey: optional(signal.IdempotencyKey),
		Start: &starts, Context: task, Version: optional(start.Version), Priority: &start.Priority,
		Tags: start.Tags, Initiator: optional(start.Initiator), Headers: headers,
		IdentityScope: optional(string(start.IdentityScope)),
	})
	return row, err
}

func (s Signal) payload() (json.RawMessage, error) {
	if s.Payload == nil {
		return json.RawMessage("{}"), nil
	}
	if err := checkJSON(s.Payload); err != nil {
		return nil, fmt.Errorf("payload of signal %q: %w", s.Name, err)
	}
	return s.Payload, nil
}

// WaitFilter says which waits to list. The zero value lists all waits.
type WaitFilter struct {
	// Namespace, TaskName, Signal, Event and Assignee that a wait must have. Default: any.
	Namespace, TaskName, Signal, Event, Assignee string
	// TaskUUID is the task whose waits are listed. Default: the waits of all tasks.
	TaskUUID uuid.UUID
	// OlderThan is the shortest time for which a listed step has waited. Default: no bound.
	OlderThan time.Duration
	// After is the last wait of the preceding page. Default: the first page.
	After *gen.WaitDetail
	// Limit is how many waits are returned at most. Default: all waits, but 100 waits for ListWaits.
	Limit int32
}

// GetStepWait returns the wait of a suspended step: the await of its template or the wait of its durable function. The result found is
// false if the step does not wait, or waits only for its child task. The field Signals is empty if only time can end the wait.
func (e *SqlFunctionExecutor) GetStepWait(ctx context.Context, stepUUID uuid.UUID) (wait gen.WaitDetail, found bool, err error) {
	row, err := e.q.GetStepWait(ctx, stepUUID)
	if errors.Is(err, pgx.ErrNoRows) {
		return gen.WaitDetail{}, false, nil
	}
	return row, err == nil, err
}

// ListWaits returns the steps that wait for a signal or an event, the longest waiting first. The list serves as an inbox. It does not
// contain steps that only wait for a time.
func (e *SqlFunctionExecutor) ListWaits(ctx context.Context, filter WaitFilter) ([]gen.WaitDetail, error) {
	params := gen.ListWaitsParams{
		Namespace: optional(filter.Namespace), TaskName: optional(filter.TaskName), Signal: optional(filter.Signal),
		Event: optional(filter.Event), TaskUUID: optional(filter.TaskUUID),
		Assignee: optional(filter.Assignee), OlderThan: optional(filter.OlderThan), LimitCount: filter.Limit,
	}
	if params.LimitCount == 0 {
		params.LimitCount = 100
	}
	if filter.After != nil {
		params.AfterSince, params.AfterStep = &filter.After.WaitingSince, &filter.After.StepUUID
	}
	rows, err := e.q.ListWaits(ctx, params)
	return rows, err
}
