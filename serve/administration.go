package serve

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/direct"
)

var queueOperations = group(
	"Queues",
	list("/v1/queues", "listQueues", "Show how long the queue of each namespace's lanes is",
		func(ctx context.Context, e *direct.Executor, _ nothing) ([]gen.QueueHealth, error) {
			return e.GetQueueHealth(ctx)
		}).sorted("get_queue_health"),
	list("/v1/queues/messages", "listMessageQueues", "Show the figures of each pgmq queue",
		func(ctx context.Context, e *direct.Executor, _ nothing) ([]gen.QueueStatistics, error) {
			return e.GetQueueStatistics(ctx, "")
		}).sorted("get_queue_statistics"),
	paged("/v1/queues/messages/{queue}", "listMessages", "Look at the messages of a pgmq queue, and leave them there", listMessages,
		func(_ messages, last gen.QueueMessage) cursor { return afterNumber("listMessages", last.MsgID) }),
)

type messages struct {
	paging
	Queue string `path:"queue" doc:"The name of the queue."`
}

func listMessages(ctx context.Context, e *direct.Executor, in messages) ([]gen.QueueMessage, error) {
	after, err := in.Cursor.number("listMessages")
	if err != nil {
		return nil, err
	}
	return e.PeekQueue(ctx, in.Queue, in.Limit, value(after))
}

var deadLetterOperations = group(
	"Dead letters",
	paged("/v1/dead-letters", "listDeadLetters", "List the investigations, newest first, without snapshots", listDeadLetters,
		func(_ deadLetterFilter, last gen.DLQEntry) cursor {
			return afterUUID("listDeadLetters", last.DLQEntryUUID)
		}).sorted("list_dlq_entries"),
	list("/v1/dead-letters/summary", "summarizeDeadLetters", "Count the investigations by reason and how they stand",
		func(ctx context.Context, e *direct.Executor, _ nothing) ([]gen.DLQReasonCounts, error) {
			return e.GetDLQDashboard(ctx)
		}),
	list("/v1/dead-letters/queue", "listInvestigations", "List the open investigations, the most urgent first",
		func(ctx context.Context, e *direct.Executor, in limitedTo) ([]gen.DLQInvestigation, error) {
			return e.GetDLQInvestigationQueue(ctx, in.Limit)
		}),
	read("/v1/dead-letters/{dlq_entry_uuid}", "getDeadLetter", "Get an investigation with its snapshot of the task",
		func(ctx context.Context, e *direct.Executor, in deadLetter) (gen.DLQEntry, error) {
			return e.GetDLQEntry(ctx, in.EntryUUID)
		}),
	write(http.MethodPost, "/v1/dead-letters", "createDeadLetter", "Open an investigation of a task",
		func(ctx context.Context, e *direct.Executor, in newDeadLetter) (openedDeadLetter, error) {
			id, err := e.CreateDLQEntry(ctx, sqlfn.CreateDLQEntryParams{TaskUUID: in.TaskUUID, Reason: value(in.Reason), Notes: value(in.Notes)})
			return openedDeadLetter{id}, err
		}),
	write(http.MethodPost, "/v1/dead-letters/{dlq_entry_uuid}/resolve", "resolveDeadLetter", "Close an investigation",
		func(ctx context.Context, e *direct.Executor, in resolution) (changedBody, error) {
			return changed(e.ResolveDLQEntry(ctx, in.EntryUUID, in.Status, value(in.Notes), executor.By{Actor: value(in.Actor)}))
		}),
	write(http.MethodPost, "/v1/dead-letters/{dlq_entry_uuid}/requeue", "requeueDeadLetter", "Let the task go on, and close the investigation",
		func(ctx context.Context, e *direct.Executor, in requeue) (changedBody, error) {
			return changed(e.RequeueDLQEntry(ctx, in.EntryUUID, value(in.Notes), executor.By{Actor: value(in.Actor)}))
		}),
	inBatches(write(http.MethodPost, "/v1/dead-letters/requeue", "requeueDeadLetters", "Let the tasks of all open investigations that match go on, and close these", requeueDeadLetters).
		and("One request is one batch and one transaction. Each item says what became of an investigation; with dry_run it is only found. "+
			"Send next_cursor as cursor, with the same filters, until it is null.").mayRefuse(http.StatusPreconditionRequired)),
)

type limitedTo struct {
	Limit int32 `query:"limit" default:"100" minimum:"1" maximum:"1000" doc:"How many items at most."`
}

type deadLetterFilter struct {
	paging
	Status    *string    `query:"resolution_status" enum:"pending manually_resolved permanently_failed cancelled" doc:"That stand like this."`
	Reason    *string    `query:"reason" doc:"Opened for this reason."`
	Namespace *string    `query:"namespace" doc:"Of this namespace."`
	TaskUUID  *uuid.UUID `query:"task_uuid" doc:"Of this task."`
}

func listDeadLetters(ctx context.Context, e *direct.Executor, in deadLetterFilter) ([]gen.DLQEntry, error) {
	before, err := in.Cursor.uuid("listDeadLetters")
	if err != nil {
		return nil, err
	}
	return e.ListDLQEntries(ctx, sqlfn.ListDLQEntriesParams{
		ResolutionStatus: value(in.Status), Reason: value(in.Reason), Namespace: value(in.Namespace), TaskUUID: value(in.TaskUUID), Before: value(before), Limit: in.Limit,
	})
}

type deadLetter struct {
	EntryUUID uuid.UUID `path:"dlq_entry_uuid" json:"-" doc:"The investigation."`
}

type newDeadLetter struct {
	TaskUUID uuid.UUID `json:"task_uuid" required:"true" doc:"The task."`
	Reason   *string   `json:"reason,omitempty" doc:"Why; manual_dlq if it is left out."`
	Notes    *string   `json:"notes,omitempty" doc:"What is known."`
}

type openedDeadLetter struct {
	EntryUUID uuid.UUID `json:"dlq_entry_uuid" doc:"The investigation."`
}

type resolution struct {
	deadLetter
	Status string  `json:"resolution_status" required:"true" doc:"manually_resolved, permanently_failed or cancelled."`
	Notes  *string `json:"notes,omitempty" doc:"What was found."`
	Actor  *string `json:"actor,omitempty" doc:"The person or system for whom; the investigation names it beside the token."`
}

type requeue struct {
	deadLetter
	Notes *string `json:"notes,omitempty" doc:"What was done."`
	Actor *string `json:"actor,omitempty" doc:"The person or system for whom; the investigation names it beside the token."`
}

var settingOperations = group(
	"Settings",
	list("/v1/settings", "listSettings", "List the settings with their bounds",
		func(ctx context.Context, e *direct.Executor, _ nothing) ([]executor.Setting, error) {
			return e.ListSettings(ctx)
		}).sorted("list_settings"),
	write(http.MethodPut, "/v1/settings/{setting}", "setSetting", "Change a setting",
		func(ctx context.Context, e *direct.Executor, in newSetting) (settingChange, error) {
			before, err := e.SetSetting(ctx, in.Name, in.Value, in.act())
			return settingChange{before}, err
		}).and("In force from the next call of any function on."),
)

type newSetting struct {
	intent
	Name  string  `path:"setting" json:"-" doc:"The setting's name."`
	Value *string `json:"value" doc:"The value as text; null is the default."`
}

type settingChange struct {
	Before string `json:"before" doc:"The value that it had."`
}

var partitionOperations = group(
	"Partitions",
	read("/v1/partitions", "getPartitioning", "Show how the run tables are partitioned, and how far ahead",
		func(ctx context.Context, e *direct.Executor, _ nothing) (partitioning, error) {
			status, err := e.PartitionStatus(ctx)
			return partitioningOf(status), err
		}),
	list("/v1/partitions/ranges", "listPartitions", "List the ranges with what they hold",
		func(ctx context.Context, e *direct.Executor, _ nothing) ([]gen.PartitionSize, error) {
			return e.PartitionSizes(ctx)
		}).sorted("partition_sizes"),
	list("/v1/partitions/held", "listHeldPartitions", "List the ranges that are old enough to go, and what holds them",
		func(ctx context.Context, e *direct.Executor, _ nothing) ([]gen.HeldPartition, error) {
			return e.HeldPartitions(ctx)
		}),
	read("/v1/partitions/growth", "analyzeGrowth", "Show how fast the run tables grow, and what ranges suit that",
		func(ctx context.Context, e *direct.Executor, _ nothing) (gen.GrowthAnalysis, error) {
			return e.AnalyzeGrowth(ctx)
		}),
	write(http.MethodPost, "/v1/partitions/ensure", "ensurePartitions", "Make the ranges that are due",
		func(ctx context.Context, e *direct.Executor, _ nothing) (madePartitions, error) {
			made, err := e.EnsurePartitions(ctx)
			return madePartitions{made}, err
		}),
	list("/v1/partitions/retentions", "listRetentions", "List the namespaces and templates whose tasks are kept longer than the ranges",
		func(ctx context.Context, e *direct.Executor, _ nothing) ([]gen.Retention, error) {
			return e.ListRetentions(ctx)
		}),
	write(http.MethodPut, "/v1/partitions/retentions/{namespace}", "setRetention", "Keep the tasks of a namespace or of a template longer than the ranges",
		func(ctx context.Context, e *direct.Executor, in newRetention) ([]gen.Retention, error) {
			return e.SetRetention(ctx, in.Namespace, value(in.Template), value(in.KeepFor), in.act())
		}),
)

type newRetention struct {
	namespaceName
	intent
	Template *string `json:"template,omitempty" doc:"The template; left out, all templates of the namespace that have no retention of their own."`
	KeepFor  *string `json:"keep_for" doc:"How long a task is kept after the end of its range, such as 2 years; null ends the retention."`
}

type madePartitions struct {
	Made int32 `json:"made" doc:"How many were made; more may be due until it is 0."`
}

// partitioning is gen.PartitionStatus with its spans as seconds.
type partitioning struct {
	Unit              string     `json:"partition_unit" doc:"How long a range is."`
	Premake           int32      `json:"premake" doc:"How many ranges are made ahead."`
	RetentionSeconds  float64    `json:"retention_seconds" doc:"How long ended tasks are kept."`
	Backend           string     `json:"backend" doc:"What maintains the ranges."`
	BackendReason     string     `json:"backend_reason" doc:"Why."`
	Ranges            int32      `json:"ranges" doc:"How many there are."`
	Ahead             int32      `json:"ahead" doc:"How many have not begun."`
	Held              int32      `json:"held" doc:"How many are held by open tasks or investigations."`
	Expired           int32      `json:"expired" doc:"How many have reached their age and are still there."`
	FirstStartsAt     *time.Time `json:"first_starts_at" doc:"When the oldest begins."`
	LastEndsAt        *time.Time `json:"last_ends_at" doc:"When the last ends."`
	CoveredForSeconds float64    `json:"covered_for_seconds" doc:"How long new tasks find a range."`
	Bytes             int64      `json:"bytes" doc:"What they take."`
	Healthy           bool       `json:"healthy" doc:"Whether there are no problems."`
	Problems          []string   `json:"problems" doc:"What is wrong."`
}

func partitioningOf(p gen.PartitionStatus) partitioning {
	return partitioning{
		Unit: p.PartitionUnit, Premake: p.Premake, RetentionSeconds: p.Retention.Seconds(), Backend: p.Backend, BackendReason: p.BackendReason,
		Ranges: p.Ranges, Ahead: p.Ahead, Held: p.Held, Expired: p.Expired, FirstStartsAt: p.FirstStartsAt, LastEndsAt: p.LastEndsAt,
		CoveredForSeconds: p.CoveredFor.Seconds(), Bytes: p.Bytes, Healthy: p.Healthy, Problems: p.Problems,
	}
}
