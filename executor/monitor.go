package executor

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

// Monitor reads the condition of the database, its queues and its workers. See [Client.Monitor].
type Monitor struct{ e *SqlFunctionExecutor }

// Health returns the counts of tasks, steps and connections.
func (m Monitor) Health(ctx context.Context) (SystemHealthCounts, error) {
	return m.e.GetSystemHealthCounts(ctx)
}

// Queues lists the queues of the namespaces, each with the number of ready steps and the time for which the oldest step has been ready.
func (m Monitor) Queues(ctx context.Context) iter.Seq2[gen.QueueHealth, error] {
	return one(func() ([]gen.QueueHealth, error) { return m.e.GetQueueHealth(ctx) })
}

// Running lists the steps that workers run in a namespace, or in all namespaces if the argument is empty. It returns at most 10,000 steps.
func (m Monitor) Running(ctx context.Context, namespace string) iter.Seq2[gen.RunningStep, error] {
	return one(func() ([]gen.RunningStep, error) { return m.e.ListRunningSteps(ctx, namespace, 10_000) })
}

// Unserved lists the handlers that ready steps of these namespaces need and that no running worker has. Without arguments it lists the
// missing handlers of all namespaces.
func (m Monitor) Unserved(ctx context.Context, namespaces ...string) iter.Seq2[gen.UnservedStep, error] {
	return one(func() ([]gen.UnservedStep, error) { return m.e.ListUnservedSteps(ctx, namespaces) })
}

// Stale lists the tasks that make no progress, the oldest first. It returns at most 10,000 tasks.
func (m Monitor) Stale(ctx context.Context) iter.Seq2[gen.TaskStaleness, error] {
	return one(func() ([]gen.TaskStaleness, error) { return m.e.GetTaskStaleness(ctx, "", 10_000) })
}

// Workers lists the workers that were seen within the last seenWithin, or all running workers if seenWithin is 0.
func (m Monitor) Workers(ctx context.Context, seenWithin time.Duration) iter.Seq2[gen.WorkerDetail, error] {
	return one(func() ([]gen.WorkerDetail, error) { return m.e.ListWorkers(ctx, seenWithin) })
}

// Check checks the installation: server, settings, partitions, privileges.
func (m Monitor) Check(ctx context.Context) ([]gen.InstallationFinding, error) {
	return m.e.CheckInstallation(ctx)
}

// CheckIntegrity finds changes that bypassed the engine, in tasks that were created since a given time. It returns at most 10,000 changes.
func (m Monitor) CheckIntegrity(ctx context.Context, since time.Time) iter.Seq2[gen.IntegrityProblem, error] {
	return one(func() ([]gen.IntegrityProblem, error) { return m.e.CheckIntegrity(ctx, since, time.Time{}, 10_000) })
}

// DeadLetters lists and resolves the tasks that an operator has to decide about. See [Client.DeadLetters].
type DeadLetters struct{ e *SqlFunctionExecutor }

// DeadLetterFilter says which entries to list. The zero value lists all entries.
type DeadLetterFilter struct {
	Namespace string
	// Reason for the entry: "staleness_timeout", "max_retries_exceeded", "dependency_cycle_detected", "worker_unavailable" or "manual_dlq".
	// Default: any.
	Reason string
	// Status of the entries, "pending" or a [Resolution]. Default: any.
	Status string
	// TaskUUID of the task. Default: any.
	TaskUUID uuid.UUID
	// Limit is how many entries to return at most. Default: all.
	Limit int
}

// List lists entries, the newest first.
func (d DeadLetters) List(ctx context.Context, filter DeadLetterFilter) iter.Seq2[gen.DLQEntry, error] {
	return pages(filter.Limit, func(last *gen.DLQEntry, rows int32) ([]gen.DLQEntry, error) {
		params := sqlfn.ListDLQEntriesParams{
			Namespace: filter.Namespace, Reason: filter.Reason, ResolutionStatus: filter.Status, TaskUUID: filter.TaskUUID, Limit: rows,
		}
		if last != nil {
			params.Before = last.DLQEntryUUID
		}
		return d.e.ListDLQEntries(ctx, params)
	})
}

// Get returns an entry.
func (d DeadLetters) Get(ctx context.Context, entry uuid.UUID) (gen.DLQEntry, error) {
	return d.e.GetDLQEntry(ctx, entry)
}

// Requeue resets the task of an entry and resolves the entry. The reason becomes the notes of the entry. The history keeps the actor, the
// login and the token.
func (d DeadLetters) Requeue(ctx context.Context, entry uuid.UUID, by By) (bool, error) {
	return d.e.RequeueDLQEntry(ctx, entry, by.Reason, by)
}

// Resolution is the decision about an entry: [DLQManuallyResolved], [DLQPermanentlyFailed] or [DLQCancelled].
type Resolution string

// The resolutions of an entry. A resolved entry has its resolution as its status.
const (
	DLQManuallyResolved  = "manually_resolved"
	DLQPermanentlyFailed = "permanently_failed"
	DLQCancelled         = "cancelled"
)

// Resolve records the decision about an entry and leaves its task unchanged. The reason becomes the notes of the entry.
func (d DeadLetters) Resolve(ctx context.Context, entry uuid.UUID, as Resolution, by By) (bool, error) {
	return d.e.ResolveDLQEntry(ctx, entry, string(as), by.Reason, by)
}

// Feed reads the changes of tasks and steps in order. Each subscription gets every change. See [Client.Feed].
type Feed struct{ e *SqlFunctionExecutor }

// Subscription says which events a subscription gets and where they are delivered.
type Subscription struct {
	Name string
	// Filter says which events the subscription gets. Default: all events.
	Filter FeedFilter
	// Since is the time of the first event of the subscription. Default: now.
	Since time.Time
	// Target says where package relay delivers the events. Default: no delivery, for a program that reads the events with Consume.
	Target json.RawMessage
}

// Subscribe makes a subscription or changes it.
func (f Feed) Subscribe(ctx context.Context, subscription Subscription, by By) (gen.SubscriptionDetail, error) {
	filter, err := json.Marshal(subscription.Filter)
	if err != nil {
		return gen.SubscriptionDetail{}, fmt.Errorf("filter: %w", err)
	}
	return f.e.Subscribe(ctx, sqlfn.SubscribeParams{
		Subscription: subscription.Name, Filter: filter, Target: subscription.Target, Since: subscription.Since,
	}, by)
}

// Unsubscribe removes a subscription.
func (f Feed) Unsubscribe(ctx context.Context, subscription string, by By) (bool, error) {
	return f.e.Unsubscribe(ctx, subscription, by)
}

// List lists the subscriptions, each with its position, its reader and its errors.
func (f Feed) List(ctx context.Context) iter.Seq2[gen.SubscriptionDetail, error] {
	return one(func() ([]gen.SubscriptionDetail, error) { return f.e.ListSubscriptions(ctx, "") })
}

// Replay sets a subscription back to a time, so that it gets the events since then again. The error is ErrRetired if events since then have
// been dropped.
func (f Feed) Replay(ctx context.Context, subscription string, since time.Time, by By) (gen.SubscriptionDetail, error) {
	return f.e.ReplayEvents(ctx, subscription, since, by)
}

// Consume calls handle with the events of a subscription, batch by batch. It returns nil when ctx ends. If handle returns an error, Consume
// returns that error, and the next call of Consume gets the batch again. So every event is handled at least once. A repeated event has the
// same EventUUID. While another process reads the subscription, Consume waits for its turn. The error is ErrRetired if unread events have
// been dropped. [Feed.Replay] then sets the subscription to a time from which it can continue.
func (f Feed) Consume(ctx context.Context, config SubscribeConfig, handle func(ctx context.Context, events []FeedEvent) error) error {
	return subscribe(ctx, f.e.db, config, handle)
}

// Dead lists the events of a subscription that could not be delivered, the newest first. It returns at most 10,000 events.
func (f Feed) Dead(ctx context.Context, subscription string) iter.Seq2[gen.DeadEvent, error] {
	return one(func() ([]gen.DeadEvent, error) { return f.e.ListDeadEvents(ctx, subscription, 10_000) })
}
