package executor

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/pgjson"
)

// TaskRequest describes a task to create. Only Namespace and Name must be set.
type TaskRequest struct {
	Namespace string
	Name      string
	// Version of the template. Default: the newest that is not retired.
	Version string
	// Context is the JSON object that the task's handlers get. Default: {}.
	Context json.RawMessage
	// IdentityKey makes requests with the same key the same task, if the template's identity strategy is caller_provided. With another
	// strategy the key must be empty.
	IdentityKey string
	// TaskUUID is the UUID of the new task, made by NewTaskUUID. Default: the database makes a UUID.
	TaskUUID uuid.UUID
	TaskOptions
	TaskPolicy
}

// TaskOptions are the optional parts of a request for a task. The zero value takes all defaults.
type TaskOptions struct {
	// Priority is a number from -1000 to 1000. Steps of a task with a priority above 0 use the fast lane, with a priority below 0 the slow
	// lane. Default: 0.
	Priority int32
	// Tags by which the task can be found. Default: none.
	Tags []string
	// Initiator, SourceSystem and Reason say who requested the task, from where and why. Default: unknown.
	Initiator    string
	SourceSystem string
	Reason       string
	// CorrelationID ties the task to a request that goes through several systems. Default: the
	// task's own UUID.
	CorrelationID uuid.UUID
	// ParentCorrelationID is the correlation ID of the request's cause. Default: none.
	ParentCorrelationID uuid.UUID
	// Headers is a JSON object handed to handlers, such as a traceparent. Default: {}.
	Headers json.RawMessage
	// StartAt is when the task starts. Default: at once.
	StartAt time.Time
	// Deferred leaves the start to an orchestrator. Default: false.
	Deferred bool
	// Deadline is the time at which the task fails if it has not ended. Default: never.
	Deadline time.Time
	// IdentityTTL is how long an equal request finds this task instead of creating another task. Default: as long as this task exists.
	IdentityTTL time.Duration
}

// CreateTask creates one task of a template. It returns the UUID of the task, and whether this call created the task. The template's
// identity strategy decides which requests are equal. An equal request finds the task of the first request. If the executor runs on a
// transaction, the call takes part in the transaction. The error is ErrNotFound if the template does not exist, and ErrRetired if its
// version is retired.
//
// On a pool, concurrent calls that differ only in Context, IdentityKey and TaskUUID may share a call of the database. A call does not wait
// for other calls to come. Each call has its own answer, its own error and its own context, as if it were alone.
func (e *SqlFunctionExecutor) CreateTask(ctx context.Context, request TaskRequest) (TaskCreation, error) {
	var err error
	if request.Context, err = jsonObject(request.Context); err != nil {
		return TaskCreation{}, fmt.Errorf("context: %w", err)
	}
	if request.Headers, err = jsonObject(request.Headers); err != nil {
		return TaskCreation{}, fmt.Errorf("headers: %w", err)
	}
	if request.Context, err = e.sealContext(ctx, request.Namespace, request.Name, request.Version, request.Context); err != nil {
		return TaskCreation{}, fmt.Errorf("context: %w", err)
	}
	return travel(ctx, e, &creations, sharing, request, e.createTask)
}

// createTask creates a task without sharing the call of the database. The JSON of the request must already be checked.
func (e *SqlFunctionExecutor) createTask(ctx context.Context, request TaskRequest) (TaskCreation, error) {
	row, err := e.q.CreateTask(ctx, gen.CreateTaskParams{
		Namespace:           request.Namespace,
		Name:                request.Name,
		Context:             request.Context,
		Version:             optional(request.Version),
		IdentityKey:         optional(request.IdentityKey),
		TaskUUID:            optional(request.TaskUUID),
		Priority:            &request.Priority,
		Tags:                request.Tags,
		Initiator:           optional(request.Initiator),
		SourceSystem:        optional(request.SourceSystem),
		Reason:              optional(request.Reason),
		CorrelationID:       optional(request.CorrelationID),
		ParentCorrelationID: optional(request.ParentCorrelationID),
		Headers:             request.Headers,
		StartAt:             optional(request.StartAt),
		Deferred:            &request.Deferred,
		Deadline:            optional(request.Deadline),
		IdentityTTL:         optional(request.IdentityTTL),

		IdentityScope:          optional(string(request.IdentityScope)),
		DebounceSeconds:        seconds(request.Debounce),
		DebounceLongestSeconds: seconds(request.DebounceLongest),
		ThrottleLimit:          optional(request.ThrottleLimit),
		ThrottleSeconds:        seconds(request.ThrottlePeriod),
		ThrottleKey:            optional(request.ThrottleKey),
		ThrottleWait:           optional(request.ThrottleWait),
	})
	return TaskCreation(row), err
}

// TasksRequest describes many tasks of one template that differ in their contexts.
type TasksRequest struct {
	Namespace string
	Name      string
	// Version of the template. Default: the newest that is not retired.
	Version string
	// Contexts holds a JSON object for each task.
	Contexts []json.RawMessage
	// IdentityKeys holds a key for each task, if the template's identity strategy is caller_provided. With another strategy it must be nil.
	IdentityKeys []string
	// TaskUUIDs holds a UUID for each task, made by NewTaskUUID. Default: the database makes the UUIDs.
	TaskUUIDs []uuid.UUID
	TaskOptions
	// TaskPolicy must not have a debounce. A throttle counts every created task. It refuses all tasks of the call or none.
	TaskPolicy
}

// CreateTasks creates a task for each context in a few statements. It creates all tasks or none. It returns their UUIDs in the order of the
// contexts, each with a flag that says whether this call created the task.
func (e *SqlFunctionExecutor) CreateTasks(ctx context.Context, request TasksRequest) ([]TaskCreation, error) {
	if request.Debounce != 0 || request.DebounceLongest != 0 {
		return nil, fmt.Errorf("%w: tasks that are created together cannot be debounced; use CreateTask", ErrInvalid)
	}
	contexts := make([]json.RawMessage, len(request.Contexts))
	for i, raw := range request.Contexts {
		task, err := jsonObject(raw)
		if err != nil {
			return nil, fmt.Errorf("context %d: %w", i+1, err)
		}
		if contexts[i], err = e.sealContext(ctx, request.Namespace, request.Name, request.Version, task); err != nil {
			return nil, fmt.Errorf("context %d: %w", i+1, err)
		}
	}
	headers, err := jsonObject(request.Headers)
	if err != nil {
		return nil, fmt.Errorf("headers: %w", err)
	}
	rows, err := e.q.CreateTasks(ctx, gen.CreateTasksParams{
		Namespace:           request.Namespace,
		Name:                request.Name,
		Contexts:            contexts,
		Version:             optional(request.Version),
		IdentityKeys:        request.IdentityKeys,
		TaskUUIDs:           request.TaskUUIDs,
		Priority:            &request.Priority,
		Tags:                request.Tags,
		Initiator:           optional(request.Initiator),
		SourceSystem:        optional(request.SourceSystem),
		Reason:              optional(request.Reason),
		CorrelationID:       optional(request.CorrelationID),
		ParentCorrelationID: optional(request.ParentCorrelationID),
		Headers:             headers,
		StartAt:             optional(request.StartAt),
		Deferred:            &request.Deferred,
		Deadline:            optional(request.Deadline),
		IdentityTTL:         optional(request.IdentityTTL),
		IdentityScope:       optional(string(request.IdentityScope)),
		ThrottleLimit:       optional(request.ThrottleLimit),
		ThrottleSeconds:     seconds(request.ThrottlePeriod),
		ThrottleKey:         optional(request.ThrottleKey),
		ThrottleWait:        optional(request.ThrottleWait),
	})
	return rows, err
}

// optional returns nil for a zero value, since null in SQL stands for the default.
func optional[T comparable](value T) *T {
	var zero T
	if value == zero {
		return nil
	}
	return &value
}

// jsonObject checks raw and returns it, or {} if raw is empty. PostgreSQL refuses a whole array if it cannot read one element, and its
// error does not name the element. So each element is checked before the array is sent.
func jsonObject(raw json.RawMessage) (json.RawMessage, error) {
	if len(raw) == 0 {
		return json.RawMessage(`{}`), nil
	}
	if err := checkJSON(raw); err != nil {
		return nil, err
	}
	return raw, nil
}

// checkJSON checks that PostgreSQL can store raw. An empty raw stands for null.
func checkJSON(raw json.RawMessage) error {
	if err := pgjson.Check(raw); err != nil {
		return fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return nil
}

// seconds returns a duration in whole seconds for SQL, and nil for 0. Fractions of a second are rounded up.
func seconds(d time.Duration) *int32 {
	if d == 0 {
		return nil
	}
	n := int32((d + time.Second - 1) / time.Second)
	return &n
}
