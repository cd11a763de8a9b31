package serve

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/order"
	"github.com/pgtasker/pgtasker/state"
)

var taskOperations = group(
	"Tasks",
	write(http.MethodPost, "/v1/tasks", "createTask", "Create a task", createTask).
		mayRefuse(http.StatusGone, http.StatusInsufficientStorage, http.StatusTooManyRequests).
		and("A request that is repeated finds the task that the first one made, with created false: by Idempotency-Key or identity_key "+
			"where the template's identity_strategy is caller_provided, by task_uuid, or by context where it is strict."),
	write(http.MethodPost, "/v1/tasks/batch", "createTasks", "Create many tasks of one template", createTasks).
		mayRefuse(http.StatusGone, http.StatusInsufficientStorage, http.StatusTooManyRequests).
		and("All or none are created. The answer has one item for each context, in order."),
	paged("/v1/tasks", "listTasks", "List tasks, newest first", listTasks,
		func(_ taskPage, last executor.TaskDetail) cursor { return afterUUID("listTasks", last.TaskUUID) }).sorted("list_tasks").
		and("Every filter that is given applies. The tasks come without their contexts."),
	read("/v1/tasks/count", "countTasks", "Count the tasks that match", countTasks).and("At least one filter is given."),
	read("/v1/tasks/{task_uuid}", "getTask", "Get a task", func(ctx context.Context, e *direct.Executor, in task) (executor.TaskDetail, error) {
		return e.GetTask(ctx, in.TaskUUID)
	}),
	waitOperation,
	read("/v1/tasks/{task_uuid}/result", "getTaskResult", "Get the state of a task, its results, and the step that failed",
		func(ctx context.Context, e *direct.Executor, in resultOf) (taskResultBody, error) {
			var result taskResultBody
			raw, err := e.GetTaskResult(ctx, in.TaskUUID, in.Steps)
			if err == nil {
				err = json.Unmarshal(raw, &result)
			}
			return result, err
		}).and("The results are those of the steps that are named or, by default, of the last steps, which no step depends on."),
	read("/v1/tasks/{task_uuid}/progress", "explainTask", "Say how far a task is, what it waits for, and what is to be done",
		func(ctx context.Context, e *direct.Executor, in task) (gen.ExecutionContext, error) {
			found, err := e.GetTaskExecutionContext(ctx, in.TaskUUID)
			return found, err
		}),
	list("/v1/tasks/{task_uuid}/story", "getTaskStory", "List the parts of a task's critical path, with where the time went",
		func(ctx context.Context, e *direct.Executor, in taskStory) ([]gen.TaskStoryPart, error) {
			return e.GetTaskStory(ctx, in.TaskUUID, in.Limit)
		}).
		and("Each part begins where the part before ends, from the request to the end of the task, or to now."),
	read("/v1/tasks/{task_uuid}/export", "exportTask", "Export a task as one document",
		func(ctx context.Context, e *direct.Executor, in taskExport) (json.RawMessage, error) {
			return e.ExportTask(ctx, in.TaskUUID, in.Payloads, in.Blank)
		}).
		mayRefuse(http.StatusRequestEntityTooLarge).
		and("docs/task-export.schema.json describes the document; workertest.Replay runs present code on it."),
	paged("/v1/tasks/{task_uuid}/history", "getTaskHistory", "List the transitions of a task and its steps, in order, each with a sentence",
		func(ctx context.Context, e *direct.Executor, in historyPage) ([]gen.TaskEvent, error) {
			step, sortKey, err := in.Cursor.event("getTaskHistory")
			if err != nil {
				return nil, err
			}
			return e.PageTaskHistory(ctx, sqlfn.PageTaskHistoryParams{
				TaskUUID: in.TaskUUID, Limit: in.Limit, AfterStepNo: step, AfterSortKey: sortKey,
			})
		},
		func(_ historyPage, last gen.TaskEvent) cursor {
			return afterEvent("getTaskHistory", value(last.StepNo), last.SortKey)
		}),
	paged("/v1/tasks/{task_uuid}/audit", "getTaskAudit", "List the results that were recorded for a task's steps, in order",
		func(ctx context.Context, e *direct.Executor, in historyPage) ([]gen.StepAudit, error) {
			step, sortKey, err := in.Cursor.event("getTaskAudit")
			if err != nil {
				return nil, err
			}
			return e.PageTaskAuditHistory(ctx, sqlfn.PageTaskAuditHistoryParams{
				TaskUUID: in.TaskUUID, Limit: in.Limit, AfterStepNo: step, AfterSortKey: sortKey,
			})
		},
		func(_ historyPage, last gen.StepAudit) cursor {
			return afterEvent("getTaskAudit", last.StepNo, last.SortKey)
		}),
	list("/v1/tasks/{task_uuid}/graph", "getTaskGraph", "List the steps of a task with their parents and children",
		func(ctx context.Context, e *direct.Executor, in task) ([]gen.StepDAGNode, error) {
			return e.GetStepDAGRelationships(ctx, in.TaskUUID)
		}),
	list("/v1/tasks/{task_uuid}/tree", "getTaskTree", "List a task and the tasks that its steps started, each followed by its own tree",
		func(ctx context.Context, e *direct.Executor, in taskTree) ([]gen.TaskTreeNode, error) {
			return e.GetTaskTree(ctx, in.TaskUUID, in.Limit)
		}).
		and("A task that retention has dropped has its UUID only. Tasks of namespaces that the token has not are left out."),
	operate("/v1/tasks/{task_uuid}/cancel", "cancelTask", "Cancel a task and its open steps", (*direct.Executor).CancelTask),
	operate("/v1/tasks/{task_uuid}/pause", "pauseTask", "Keep the steps of a task from starting", (*direct.Executor).PauseTask).
		and("Running steps end, and waits, retries and the deadline go on."),
	operate("/v1/tasks/{task_uuid}/resume", "resumeTask", "End the pause of a task", (*direct.Executor).ResumeTask),
	write(http.MethodPost, "/v1/tasks/{task_uuid}/change", "changeTask", "Change the priority, the start, the deadline or the context of a task",
		func(ctx context.Context, e *direct.Executor, in taskChange) (changedBody, error) {
			return changed(e.ChangeTask(ctx, in.TaskUUID, executor.TaskChange{
				Priority: in.Priority, StartAt: value(in.StartAt), Deadline: value(in.Deadline), Context: in.Context,
				Reason: value(in.Reason), Actor: value(in.Actor),
			}))
		}).
		and("What is left out stays. A new context needs a reason, and steps that start from now on get it."),
	operate("/v1/tasks/{task_uuid}/reset", "resetTask", "Reset a failed task, or the failed steps of an open one", (*direct.Executor).ResetTask).
		and("What is done stays done, and the history is kept."),
	inBatches(write(http.MethodPost, "/v1/tasks/reset", "resetTasks", "Reset the tasks that match every filter given, the oldest first", resetTasks).
		and("One request is one batch and one transaction. Each item says what became of a task; with dry_run it is only found. "+
			"Send next_cursor as cursor, with the same filters, until it is null.").mayRefuse(http.StatusPreconditionRequired)),
	inBatches(write(http.MethodPost, "/v1/tasks/cancel", "cancelTasks", "Cancel the open tasks that match every filter given, the oldest first", cancelTasks).
		and("A filter or a selection is required. One request is one batch and one transaction. Each item says what became of a task; "+
			"with dry_run it is only found. Send next_cursor as cursor, with the same filters, until it is null.").mayRefuse(http.StatusPreconditionRequired)),
	operate("/v1/tasks/{task_uuid}/resolve", "resolveTask", "Declare a task resolved by hand", (*direct.Executor).ResolveTaskManually),
	operate("/v1/tasks/{task_uuid}/give-up", "giveUpTask", "Fail a task that is blocked by failures", (*direct.Executor).GiveUpTask),
	write(http.MethodPost, "/v1/tasks/{task_uuid}/fork", "forkTask", "Create a task that repeats this one from a step on", forkTask).
		mayRefuse(http.StatusGone).
		and("The step and what depends on it run anew; the results of the other steps are taken over, with their audit. "+
			"A repeat with the same Idempotency-Key or key returns the same task."),
)

type taskChange struct {
	task
	Priority *int32          `json:"priority,omitempty" minimum:"-1000" maximum:"1000" doc:"Higher goes first."`
	StartAt  *time.Time      `json:"start_at,omitempty" doc:"When it starts, if it has not started; at once if the time is past."`
	Deadline *time.Time      `json:"deadline,omitempty" doc:"When it fails unless it has ended."`
	Context  json.RawMessage `json:"context,omitempty" doc:"Its context. Needs a reason."`
	intent
}

type taskFork struct {
	task
	Header   *string `header:"Idempotency-Key" json:"-" doc:"The same as key."`
	FromStep string  `json:"from_step" required:"true" doc:"The step, by its name, from which on it runs again."`
	Version  *string `json:"version,omitempty" doc:"The version of the template that it runs; that of this task if it is left out."`
	Cancel   *bool   `json:"cancel,omitempty" doc:"Whether this task is cancelled in the same transaction."`
	Reason   *string `json:"reason,omitempty" doc:"Why, for the history."`
	Actor    *string `json:"actor,omitempty" doc:"Who, for the history; the token is named too."`
	Key      *string `json:"key,omitempty" doc:"A repeat with the same key returns the same fork."`
}

var errTwoForkKeys = invalid("Idempotency-Key and key differ", "Send one of them.")

// forkedBody names the task that a fork created.
type forkedBody struct {
	TaskUUID uuid.UUID `json:"task_uuid" doc:"The new task."`
}

func forkTask(ctx context.Context, e *direct.Executor, in taskFork) (forkedBody, error) {
	switch {
	case in.Header == nil:
	case in.Key != nil && *in.Key != *in.Header:
		return forkedBody{}, errTwoForkKeys
	default:
		in.Key = in.Header
	}
	forked, err := e.ForkTask(ctx, sqlfn.ForkTaskParams{
		TaskUUID: in.TaskUUID, FromStep: in.FromStep, Version: value(in.Version), Cancel: value(in.Cancel),
		Reason: value(in.Reason), Actor: value(in.Actor), Key: value(in.Key),
	})
	return forkedBody{TaskUUID: forked}, err
}

// task names a task.
type task struct {
	TaskUUID uuid.UUID `path:"task_uuid" json:"-" doc:"The task."`
}

type historyPage struct {
	task
	paging
}

type taskStory struct {
	task
	Limit int32 `query:"limit" json:"-" default:"1000" minimum:"1" maximum:"10000" doc:"How many parts at most; one more for the rest."`
}

type taskExport struct {
	task
	Payloads bool     `query:"payloads" json:"-" default:"true" doc:"Whether the document has contexts, inputs, results and the texts of errors."`
	Blank    []string `query:"blank" json:"-" doc:"A jsonpath whose places are null, such as $.**.email; may be given more than once."`
}

type taskTree struct {
	task
	Limit int32 `query:"limit" json:"-" default:"1000" minimum:"1" maximum:"100000" doc:"How many tasks at most."`
}

// intent has the reason of a change, and its actor.
type intent struct {
	Reason *string `json:"reason,omitempty" doc:"Why; goes into the history."`
	Actor  *string `json:"actor,omitempty" doc:"The person or system for whom; the history names it beside the token."`
}

func (i intent) act() executor.By {
	return executor.By{Actor: value(i.Actor), Reason: value(i.Reason)}
}

// queryIntent is the intent of a request that has no body or whose body has another purpose.
type queryIntent struct {
	Reason *string `query:"reason" json:"-" doc:"Why; goes into the history."`
	Actor  *string `query:"actor" json:"-" doc:"The person or system for whom; the history names it beside the token."`
}

func (i queryIntent) act() executor.By {
	return executor.By{Actor: value(i.Actor), Reason: value(i.Reason)}
}

// taskAction has the arguments of an operation on a task.
type taskAction struct {
	task
	intent
}

// operate returns the operation for an operator's call on a task.
func operate(path, id, summary string, call func(e *direct.Executor, ctx context.Context, task uuid.UUID, reason, actor string) (bool, error)) operation {
	return write(http.MethodPost, path, id, summary, func(ctx context.Context, e *direct.Executor, in taskAction) (changedBody, error) {
		return changed(call(e, ctx, in.TaskUUID, value(in.Reason), value(in.Actor)))
	})
}

// newTask has the common properties of the tasks of a request.
type newTask struct {
	Namespace           string          `json:"namespace" required:"true" doc:"The template's namespace."`
	Name                string          `json:"name" required:"true" doc:"The template's name."`
	Version             *string         `json:"version,omitempty" doc:"The template's version; the newest if it is left out."`
	Priority            *int32          `json:"priority,omitempty" minimum:"-1000" maximum:"1000" doc:"Higher goes first."`
	Tags                []string        `json:"tags,omitempty" doc:"To find the task by."`
	Initiator           *string         `json:"initiator,omitempty" doc:"Who asked for it; the token if it is left out."`
	SourceSystem        *string         `json:"source_system,omitempty" doc:"Where the request came from."`
	Reason              *string         `json:"reason,omitempty" doc:"Why it was asked for."`
	CorrelationID       *uuid.UUID      `json:"correlation_id,omitempty" doc:"Of a request that goes through several systems."`
	ParentCorrelationID *uuid.UUID      `json:"parent_correlation_id,omitempty" doc:"Of what caused the request."`
	Headers             json.RawMessage `json:"headers,omitempty" doc:"An object for handlers, such as a traceparent."`
	StartAt             *time.Time      `json:"start_at,omitempty" doc:"When it starts; at once if it is left out."`
	Deferred            *bool           `json:"deferred,omitempty" doc:"Whether an orchestrator starts it later."`
	Deadline            *time.Time      `json:"deadline,omitempty" doc:"When it fails if it has not ended."`
	IdentityTTLSeconds  *int32          `json:"identity_ttl_seconds,omitempty" minimum:"1" doc:"How long a repeated request finds this task; as long as it exists if it is left out."`
	IdentityScope       *string         `json:"identity_scope,omitempty" enum:"forever open period" doc:"Until when a repeated request finds this task."`
	ThrottleLimit       *int32          `json:"throttle_limit,omitempty" minimum:"1" maximum:"1000000" doc:"How many tasks may be created in throttle_seconds; more are refused."`
	ThrottleSeconds     *int32          `json:"throttle_seconds,omitempty" minimum:"1" maximum:"31536000" doc:"The time of the throttle."`
	ThrottleKey         *string         `json:"throttle_key,omitempty" doc:"Throttles the requests of this key by themselves."`
}

// options returns the options of the task for package executor.
func (t newTask) options() executor.TaskOptions {
	return executor.TaskOptions{
		Priority: value(t.Priority), Tags: t.Tags, Initiator: value(t.Initiator), SourceSystem: value(t.SourceSystem), Reason: value(t.Reason),
		CorrelationID: value(t.CorrelationID), ParentCorrelationID: value(t.ParentCorrelationID), Headers: t.Headers,
		StartAt: value(t.StartAt), Deferred: value(t.Deferred), Deadline: value(t.Deadline),
		IdentityTTL: time.Duration(value(t.IdentityTTLSeconds)) * time.Second,
	}
}

// policy returns the policy of the request, without a debounce.
func (t newTask) policy() executor.TaskPolicy {
	return executor.TaskPolicy{
		IdentityScope: executor.IdentityScope(value(t.IdentityScope)), ThrottleLimit: value(t.ThrottleLimit),
		ThrottlePeriod: time.Duration(value(t.ThrottleSeconds)) * time.Second, ThrottleKey: value(t.ThrottleKey),
	}
}

// setToken makes the token the initiator if the request names no other.
func (t *newTask) setToken(name string) {
	if t.Initiator == nil {
		initiator := named(name)
		t.Initiator = &initiator
	}
}

type creation struct {
	newTask
	Key         *string         `header:"Idempotency-Key" json:"-" doc:"The same as identity_key."`
	Context     json.RawMessage `json:"context,omitempty" doc:"The object that the task's handlers get."`
	IdentityKey *string         `json:"identity_key,omitempty" doc:"What makes a repeated request the same task."`
	TaskUUID    *uuid.UUID      `json:"task_uuid,omitempty" doc:"A version 7 UUID whose last 16 bits are zero; the database makes one if it is left out."`

	ThrottleWait           *bool  `json:"throttle_wait,omitempty" doc:"Whether a task above the throttle starts when its turn comes, instead of being refused."`
	DebounceSeconds        *int32 `json:"debounce_seconds,omitempty" minimum:"1" maximum:"31536000" doc:"The task starts so long after the last request of its key."`
	DebounceLongestSeconds *int32 `json:"debounce_longest_seconds,omitempty" minimum:"1" maximum:"31536000" doc:"How long after the first request it starts at the latest."`
}

var errTwoKeys = invalid("Idempotency-Key and identity_key differ", "Send one of them.")

// createdTask converts an executor.TaskCreation.
type createdTask struct {
	TaskUUID uuid.UUID `json:"task_uuid" doc:"The task."`
	Created  bool      `json:"created" doc:"False when an earlier request had made it."`
}

// key returns the identity key, which may stand in two places.
func (in creation) key() *string {
	if in.Key != nil {
		return in.Key
	}
	return in.IdentityKey
}

func (in creation) hasTwoKeys() bool {
	return in.Key != nil && in.IdentityKey != nil && *in.IdentityKey != *in.Key
}

func createTask(ctx context.Context, e *direct.Executor, in creation) (createdTask, error) {
	if in.hasTwoKeys() {
		return createdTask{}, errTwoKeys
	}
	policy := in.policy()
	policy.Debounce = time.Duration(value(in.DebounceSeconds)) * time.Second
	policy.ThrottleWait = value(in.ThrottleWait)
	policy.DebounceLongest = time.Duration(value(in.DebounceLongestSeconds)) * time.Second
	created, err := e.CreateTask(ctx, executor.TaskRequest{
		Namespace: in.Namespace, Name: in.Name, Version: value(in.Version), Context: in.Context,
		IdentityKey: value(in.key()), TaskUUID: value(in.TaskUUID), TaskOptions: in.options(), TaskPolicy: policy,
	})
	return createdTask{created.TaskUUID, created.Created}, err
}

type creations struct {
	newTask
	Contexts     []json.RawMessage `json:"contexts" required:"true" doc:"An object for each task."`
	IdentityKeys []string          `json:"identity_keys,omitempty" doc:"A key for each task."`
	TaskUUIDs    []uuid.UUID       `json:"task_uuids,omitempty" doc:"A UUID for each task."`
	ThrottleWait *bool             `json:"throttle_wait,omitempty" doc:"Whether tasks above the throttle start when their turn comes, instead of being refused."`
}

func createTasks(ctx context.Context, e *direct.Executor, in creations) (pageBody[executor.TaskCreation], error) {
	policy := in.policy()
	policy.ThrottleWait = value(in.ThrottleWait)
	created, err := e.CreateTasks(ctx, executor.TasksRequest{
		Namespace: in.Namespace, Name: in.Name, Version: value(in.Version), Contexts: in.Contexts,
		IdentityKeys: in.IdentityKeys, TaskUUIDs: in.TaskUUIDs, TaskOptions: in.options(), TaskPolicy: policy,
	})
	return pageOf(created), err
}

type taskFilter struct {
	Namespace       *string    `query:"namespace" doc:"Of this namespace."`
	Name            *string    `query:"name" doc:"Of templates of this name."`
	Version         *string    `query:"version" doc:"Of templates of this version."`
	State           *string    `query:"state" doc:"In this state, or open: all that have not ended."`
	Tags            []string   `query:"tag" doc:"With this tag; given more than once, with all of them."`
	Attributes      []string   `query:"attribute" doc:"With an attribute that its template declares: customer=42, total>=100, due<2026-12-01; given more than once, with all of them."`
	CorrelationID   *uuid.UUID `query:"correlation_id" doc:"With this correlation id."`
	RequestedAfter  *time.Time `query:"requested_after" doc:"Requested at this time or later."`
	RequestedBefore *time.Time `query:"requested_before" doc:"Requested before this time."`
	Key             *string    `query:"key" doc:"Created with this identity key."`
	Initiator       *string    `query:"initiator" doc:"Started by this person or system."`
	Schedule        *string    `query:"schedule" doc:"Started by the schedule of this name."`
	Handler         *string    `query:"handler" doc:"With a step that has this handler, and the step and the error of the same request."`
	Step            *string    `query:"step" doc:"With a step of this name."`
	Error           *string    `query:"error" doc:"With a step whose last error has this text, in capitals or not."`
	Where           *string    `query:"where" doc:"With a context for which this jsonpath holds, such as $.total > 100, or in which it finds a value."`
	LongerThan      *int32     `query:"longer_than_seconds" minimum:"1" doc:"That took, or are open for, at least so many seconds."`
}

type taskPage struct {
	taskFilter
	paging
	ParentTaskUUID *uuid.UUID `query:"parent_task_uuid" doc:"Started by a step of this task."`
	Oldest         *bool      `query:"oldest_first" doc:"The oldest first."`
}

func (f taskFilter) params() sqlfn.ListTasksParams {
	return sqlfn.ListTasksParams{
		Namespace: value(f.Namespace), Name: value(f.Name), Version: value(f.Version), State: value(f.State), Tags: f.Tags, CorrelationID: value(f.CorrelationID), Attributes: f.Attributes,
		RequestedAfter: value(f.RequestedAfter), RequestedBefore: value(f.RequestedBefore), IdentityKey: value(f.Key),
		Initiator: value(f.Initiator), Schedule: value(f.Schedule), Handler: value(f.Handler), Step: value(f.Step), Error: value(f.Error), Where: value(f.Where),
		LongerThan: time.Duration(value(f.LongerThan)) * time.Second,
	}
}

func listTasks(ctx context.Context, e *direct.Executor, in taskPage) ([]executor.TaskDetail, error) {
	last, err := in.Cursor.uuid("listTasks")
	if err != nil {
		return nil, err
	}
	p := in.params()
	p.ParentTaskUUID, p.Limit = value(in.ParentTaskUUID), in.Limit
	switch {
	case !value(in.Oldest):
		p.Before = value(last)
	case last == nil:
		p.After = uuid.UUID{15: 1} // It stands before every task.
	default:
		p.After = *last
	}
	order.Tasks(ctx, &p)
	return e.ListTasks(ctx, p)
}

// taskCount is the number of matching tasks.
type taskCount struct {
	Tasks int32 `json:"tasks" doc:"How many tasks match, at most 10,000."`
	More  bool  `json:"more" doc:"Whether there are more."`
}

func countTasks(ctx context.Context, e *direct.Executor, in taskFilter) (taskCount, error) {
	filters, err := json.Marshal(executor.SelectionFilters(in.params()))
	if err != nil {
		return taskCount{}, err
	}
	found, err := e.PreviewSelection(ctx, sqlfn.PreviewSelectionParams{Kind: "tasks", Filters: filters})
	return taskCount{found.Entries, found.More}, err
}

type resultOf struct {
	task
	Steps []string `query:"step" doc:"Whose results are returned; those of the last steps by default."`
}

// taskResultBody is the outcome of a task.
type taskResultBody struct {
	TaskUUID uuid.UUID       `json:"task_uuid"`
	State    state.TaskState `json:"state"`
	Complete bool            `json:"complete" doc:"Whether the task has ended."`
	Blocked  bool            `json:"blocked" doc:"Whether the task waits for an operator, since a step has failed for good. A task that is being undone does not."`
	Results  json.RawMessage `json:"results" doc:"An object: the results of steps that succeeded, by name; an array for a map."`
	Omitted  []string        `json:"omitted" doc:"Steps whose results are too large for one answer; the list of steps has them."`
	Failed   *failedStepBody `json:"failed" doc:"The step that failed first; null if no step has failed for good."`
}

// failedStepBody is the step that keeps a task from its end.
type failedStepBody struct {
	Step     string          `json:"step"`
	StepUUID uuid.UUID       `json:"step_uuid"`
	State    state.StepState `json:"state"`
	Attempts int32           `json:"attempts"`
	Error    *string         `json:"error"`
	Undo     bool            `json:"undo" doc:"Whether the step undoes another one."`
}
