package executor

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/listen"
	"github.com/pgtasker/pgtasker/internal/pgerr"
	"github.com/pgtasker/pgtasker/state"

	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

// Tasks creates tasks, reads them and waits for them. See [Client.Tasks].
type Tasks struct{ e *SqlFunctionExecutor }

// Create creates a task, or finds the task of an equal request. The template's identity strategy decides which requests are equal. In a
// transaction the task exists if, and only if, the transaction commits. The error is ErrNotFound if the template does not exist, and
// ErrRetired if its version is retired.
func (t Tasks) Create(ctx context.Context, request TaskRequest) (TaskCreation, error) {
	return t.e.CreateTask(ctx, request)
}

// CreateMany creates tasks of one template in one call, all tasks or none. It returns the tasks in the order of the contexts.
func (t Tasks) CreateMany(ctx context.Context, request TasksRequest) ([]TaskCreation, error) {
	return t.e.CreateTasks(ctx, request)
}

// Get returns a task. The error is ErrNotFound if the task does not exist.
func (t Tasks) Get(ctx context.Context, task uuid.UUID) (TaskDetail, error) {
	return t.e.GetTask(ctx, task)
}

// Find returns the newest task that has an identity key. The error is ErrNotFound if no task has the key.
func (t Tasks) Find(ctx context.Context, key TaskKey) (TaskDetail, error) {
	found, err := t.e.FindTasksByKey(ctx, key.IdentityKey, key.Namespace, key.Name)
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("%w: no task of %s/%s has the key %q", ErrNotFound, key.Namespace, key.Name, key.IdentityKey)
	}
	if err != nil {
		return TaskDetail{}, err
	}
	return slices.MaxFunc(found, func(a, b TaskDetail) int { return a.RequestedAt.Compare(b.RequestedAt) }), nil
}

// TaskFilter says which tasks to list. The zero value lists all tasks that the role may see.
type TaskFilter struct {
	// Namespace, Name and Version of the template. Default: any.
	Namespace, Name, Version string
	// State of the task, or "open": every state of tasks that have not ended. Default: any.
	State state.TaskState
	// Tags are the tags that the task must have, all of them.
	Tags []string
	// Attributes are conditions on attributes that the template declares, such as "customer=42" or "total>=100". The task must meet all
	// conditions.
	Attributes []string
	// Sort is the name of an attribute. Only tasks that have the attribute are listed, in the order of its values. With "-" in front of the
	// name the largest value comes first. Default: the newest task first, or the order of the first attribute that has a range in
	// Attributes.
	Sort string
	// Where is a jsonpath that the context must meet, such as "$.total > 100", or that must find a value in the context. No index serves
	// this condition. So a list reads a bounded number of tasks. If these do not fill a page, the list returns an error that says how to
	// continue.
	Where string
	// CorrelationID that the task must have. Default: any.
	CorrelationID uuid.UUID
	// Parent restricts the list to the tasks that the steps of this task started. Default: no restriction.
	Parent uuid.UUID
	// Since and Until bound the time at which the task was requested.
	Since, Until time.Time
	// Limit is how many tasks to return at most. Default: all.
	Limit int
}

// List lists tasks, the newest first, or in the order of an attribute.
func (t Tasks) List(ctx context.Context, filter TaskFilter) iter.Seq2[TaskDetail, error] {
	return pages(filter.Limit, func(last *TaskDetail, rows int32) ([]TaskDetail, error) {
		params := sqlfn.ListTasksParams{
			Namespace: filter.Namespace, Name: filter.Name, Version: filter.Version, State: string(filter.State),
			Tags: filter.Tags, CorrelationID: filter.CorrelationID, ParentTaskUUID: filter.Parent,
			RequestedAfter: filter.Since, RequestedBefore: filter.Until, Limit: rows,
			Attributes: filter.Attributes, Sort: filter.Sort, Where: filter.Where,
		}
		if last != nil {
			params.Before = last.TaskUUID
		}
		return t.e.ListTasks(ctx, params)
	})
}

// Steps lists the steps of a task in the order of their numbers.
func (t Tasks) Steps(ctx context.Context, task uuid.UUID) iter.Seq2[StepDetail, error] {
	return pages(0, func(last *StepDetail, rows int32) ([]StepDetail, error) {
		var after int32
		if last != nil {
			after = last.StepNo
		}
		return t.e.PageSteps(ctx, task, after, rows)
	})
}

// Step returns a step of a task by its name. The error is ErrNotFound if the task has no such step.
func (t Tasks) Step(ctx context.Context, task uuid.UUID, name string) (StepDetail, error) {
	for step, err := range t.Steps(ctx, task) {
		if err != nil || step.Name == name {
			return step, err
		}
	}
	return StepDetail{}, fmt.Errorf("%w: task %s has no step %q", ErrNotFound, task, name)
}

// Tree lists a task and the tasks that its steps started, each below its parent. It returns at most 100,000 tasks.
func (t Tasks) Tree(ctx context.Context, task uuid.UUID) iter.Seq2[gen.TaskTreeNode, error] {
	return one(func() ([]gen.TaskTreeNode, error) { return t.e.GetTaskTree(ctx, task, 100_000) })
}

// History lists the changes of a task and its steps in order, each with the old and the new state, the time, the actor and the reason.
func (t Tasks) History(ctx context.Context, task uuid.UUID) iter.Seq2[gen.TaskEvent, error] {
	return pages(0, func(last *gen.TaskEvent, rows int32) ([]gen.TaskEvent, error) {
		params := sqlfn.PageTaskHistoryParams{TaskUUID: task, Limit: rows}
		if last != nil {
			var own int32 // The task's own changes have number 0.
			if last.StepNo != nil {
				own = *last.StepNo
			}
			params.AfterStepNo, params.AfterSortKey = &own, &last.SortKey
		}
		return t.e.PageTaskHistory(ctx, params)
	})
}

// StepHistory lists the changes of one step in order.
func (t Tasks) StepHistory(ctx context.Context, step uuid.UUID) iter.Seq2[gen.TaskEvent, error] {
	return pages(0, func(last *gen.TaskEvent, rows int32) ([]gen.TaskEvent, error) {
		if last == nil {
			return t.e.PageStepHistory(ctx, step, rows, nil)
		}
		return t.e.PageStepHistory(ctx, step, rows, &last.SortKey)
	})
}

// Audit lists the recorded results of a task's steps in order, each with the worker that recorded the result.
func (t Tasks) Audit(ctx context.Context, task uuid.UUID) iter.Seq2[gen.StepAudit, error] {
	return pages(0, func(last *gen.StepAudit, rows int32) ([]gen.StepAudit, error) {
		params := sqlfn.PageTaskAuditHistoryParams{TaskUUID: task, Limit: rows}
		if last != nil {
			params.AfterStepNo, params.AfterSortKey = &last.StepNo, &last.SortKey
		}
		return t.e.PageTaskAuditHistory(ctx, params)
	})
}

// Explain returns a sentence that says why a step does not run, or that it runs.
func (t Tasks) Explain(ctx context.Context, step uuid.UUID) (gen.StepExplanation, error) {
	return t.e.ExplainStep(ctx, step)
}

// Story lists the parts of a task's duration, and says how the task spent each part.
func (t Tasks) Story(ctx context.Context, task uuid.UUID) iter.Seq2[gen.TaskStoryPart, error] {
	return one(func() ([]gen.TaskStoryPart, error) { return t.e.GetTaskStory(ctx, task, 10_000) })
}

// WaitOptions say how to wait for a task or a step. With the zero value a wait returns an error when the task is blocked by failures.
type WaitOptions struct {
	// ThroughBlocked keeps waiting while a task is blocked by failures, so that an operator can repair the task.
	ThroughBlocked bool
	// PollInterval is how often to read the task if no notification comes. Default: 1 s.
	PollInterval time.Duration

	within time.Duration // bounds the time of a query, so that a server that no longer answers does not block the query forever
}

// Wait waits until a task has ended and returns it. The error is a [*TaskError] if the task did not complete. It wraps ErrFailed,
// ErrCancelled, or ErrBlocked if the task is blocked by failures and an operator has to decide. If ctx ends, Wait returns ctx's error and
// the task as it was last read.
//
// All waits on one pool share one connection that listens. Without a pool Wait polls. Do not wait in a transaction with a higher isolation
// level than READ COMMITTED, which would never see a change.
func (t Tasks) Wait(ctx context.Context, task uuid.UUID, options ...WaitOptions) (TaskDetail, error) {
	detail, err := t.wait(ctx, task, last(options), func(detail TaskDetail) (bool, error) { return detail.Complete, nil })
	if err != nil {
		return detail, err
	}
	switch detail.State {
	case state.TaskComplete, state.TaskResolvedManually:
		return detail, nil
	}
	return detail, t.taskError(ctx, detail, "")
}

// WaitStep waits until a step of a task is complete or resolved by hand, and returns the step. The task may still run. The error is a
// [*TaskError] if the step cannot get a result. It wraps ErrFailed, ErrCancelled, ErrNoResult if the step was skipped or the task ended
// without such a step, or ErrBlocked if the task is blocked by failures. WaitStep waits as [Tasks.Wait] does.
func (t Tasks) WaitStep(ctx context.Context, task uuid.UUID, name string, options ...WaitOptions) (step StepDetail, err error) {
	o := last(options)
	detail, err := t.wait(ctx, task, o, func(detail TaskDetail) (bool, error) {
		var err error
		step, err = t.Step(ctx, task, name)
		if errors.Is(err, ErrNotFound) {
			return detail.Complete, nil // The step may still be added.
		}
		waits := step.State == state.StepError && o.ThroughBlocked // An operator may repair the task.
		return detail.Complete || step.State.IsTerminal() && !waits, err
	})
	if err != nil || step.State.SatisfiesDependencies() {
		return step, err
	}
	return step, t.taskError(ctx, detail, name)
}

// Watch returns the task now and after each change of its state, until it has ended. Watch does not return states that the task entered and
// left between two reads. [Tasks.History] lists all states.
func (t Tasks) Watch(ctx context.Context, task uuid.UUID, options ...WaitOptions) iter.Seq2[TaskDetail, error] {
	o := last(options)
	o.ThroughBlocked = true
	return func(yield func(TaskDetail, error) bool) {
		var seen state.TaskState
		goes := true
		_, err := t.wait(ctx, task, o, func(detail TaskDetail) (bool, error) {
			if detail.State != seen {
				seen = detail.State
				goes = yield(detail, nil)
			}
			return !goes || detail.Complete, nil
		})
		if goes && err != nil {
			yield(TaskDetail{}, err)
		}
	}
}

// wait reads a task until done returns true, and returns the task as it was last read. If the database is a pool, a notification of a
// change wakes the wait.
func (t Tasks) wait(
	ctx context.Context, task uuid.UUID, options WaitOptions, done func(TaskDetail) (bool, error),
) (detail TaskDetail, err error) {
	if options.PollInterval <= 0 {
		options.PollInterval = time.Second
	}
	options.within = cmp.Or(options.within, callWithin)
	e := t.e.again() // Read from the primary: a standby may not have the change yet.
	var wake <-chan struct{}
	var giveWay func()
	poll := time.NewTimer(options.PollInterval)
	defer poll.Stop()
	for {
		if err := ctx.Err(); err != nil {
			return detail, err
		}
		asking, cancel := context.WithTimeout(ctx, options.within)
		is, err := e.GetTask(asking, task)
		if err == nil {
			detail = is
			var ends bool
			if ends, err = done(is); err == nil && (ends || !options.ThroughBlocked && is.Blocked) {
				cancel()
				return detail, nil
			}
		}
		cancel()
		switch {
		case ctx.Err() != nil:
			return detail, ctx.Err()
		case err != nil && pgerr.Of(err) != pgerr.Passing:
			return detail, err
		case err != nil && listen.NoPlace(err) && giveWay != nil:
			giveWay() // The listener holds the login's last connection.
		}
		if pool, ok := t.e.db.(*pgxpool.Pool); ok && wake == nil {
			listening, give, leave := watchChanges(pool, taskEvents, task)
			defer leave()
			wake, giveWay = listening, give
		}
		again := options.PollInterval
		if err != nil {
			again = min(again, time.Second) // The task may have changed while it could not be read.
		}
		poll.Reset(again)
		select {
		case <-ctx.Done():
		case <-wake:
		case <-poll.C:
		}
	}
}

// Result returns the current results of the named steps of a task, as an object with the names of the steps as keys. If no step is named,
// Result returns the results of the last steps, on which no other step depends.
func (t Tasks) Result(ctx context.Context, task uuid.UUID, steps ...string) (json.RawMessage, error) {
	return t.e.GetTaskResult(ctx, task, steps)
}
