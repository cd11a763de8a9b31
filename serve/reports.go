package serve

import (
	"context"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/direct"
)

var auditOperations = group(
	"Audit",
	paged("/v1/audit", "listAudit", "List who recorded which result in a period, newest first", listAudit,
		func(in auditFilter, _ gen.StepAudit) cursor {
			return afterNumber("listAudit", in.offset()+int64(in.Limit))
		}),
	list("/v1/audit/correlations/{correlation_id}", "getAuditByCorrelation", "List the results of all tasks of one correlation id",
		func(ctx context.Context, e *direct.Executor, in correlation) ([]gen.StepAudit, error) {
			return e.GetAuditByCorrelationID(ctx, in.CorrelationID, in.Limit)
		}),
	list("/v1/audit/workers/{worker_uuid}", "getAuditByWorker", "List the results that a worker has recorded",
		func(ctx context.Context, e *direct.Executor, in ofWorker) ([]gen.StepAudit, error) {
			return e.GetAuditByWorker(ctx, in.WorkerUUID, in.Limit)
		}),
	paged("/v1/audit/administration", "listAdministration", "List what has changed that is not a task's, newest first: by whom, what it was, what it is", listAdministration,
		func(_ administrationFilter, last gen.AdministrationEntry) cursor {
			return afterNumber("listAdministration", last.EntryNo)
		}).sorted("list_administration"),
	list("/v1/audit/integrity", "checkIntegrity", "Find what history or audit would not hold if it had not been altered by hand",
		func(ctx context.Context, e *direct.Executor, in integrity) ([]gen.IntegrityProblem, error) {
			return e.CheckIntegrity(ctx, value(in.Since), value(in.Until), in.Limit)
		}),
)

type auditFilter struct {
	paging
	Since     time.Time  `query:"since" required:"true" doc:"Recorded at this time or later."`
	Until     *time.Time `query:"until" doc:"Recorded before this time."`
	Success   *bool      `query:"success" doc:"Successes only, or failures only."`
	Namespace *string    `query:"namespace" doc:"Of this namespace."`
}

// offset returns the number of items on the preceding pages. The server has already refused a cursor of another list.
func (f auditFilter) offset() int64 {
	if n, err := f.Cursor.number("listAudit"); err == nil && n != nil {
		return *n
	}
	return 0
}

func listAudit(ctx context.Context, e *direct.Executor, in auditFilter) ([]gen.StepAudit, error) {
	if _, err := in.Cursor.number("listAudit"); err != nil {
		return nil, err
	}
	offset := int32(min(in.offset(), 1<<31-1))
	return e.GetAuditByTimeRange(ctx, sqlfn.GetAuditByTimeRangeParams{
		Since: in.Since, Until: value(in.Until), Success: in.Success, Namespace: value(in.Namespace), Limit: in.Limit, Offset: offset,
	})
}

type administrationFilter struct {
	paging
	Kind   *string `query:"kind" doc:"Of this kind: the name of its table, such as limits, schedules, settings, role_bindings; or queues."`
	Object *string `query:"object" doc:"Of this object, such as shop/nightly."`
}

func listAdministration(ctx context.Context, e *direct.Executor, in administrationFilter) ([]gen.AdministrationEntry, error) {
	before, err := in.Cursor.number("listAdministration")
	if err != nil {
		return nil, err
	}
	return e.ListAdministration(ctx, sqlfn.ListAdministrationParams{
		Kind: value(in.Kind), Object: value(in.Object), Before: value(before), Limit: in.Limit,
	})
}

type correlation struct {
	CorrelationID uuid.UUID `path:"correlation_id" doc:"The correlation id."`
	Limit         int32     `query:"limit" default:"1000" minimum:"1" maximum:"10000" doc:"How many items at most."`
}

type ofWorker struct {
	WorkerUUID uuid.UUID `path:"worker_uuid" doc:"The worker."`
	Limit      int32     `query:"limit" default:"100" minimum:"1" maximum:"10000" doc:"How many items at most."`
}

type integrity struct {
	Since *time.Time `query:"since" doc:"Of tasks requested at this time or later."`
	Until *time.Time `query:"until" doc:"Of tasks requested before this time."`
	Limit int32      `query:"limit" default:"1000" minimum:"1" maximum:"10000" doc:"How many problems at most."`
}

var healthOperations = group(
	"Health",
	read("/v1/health", "getHealth", "Count tasks and steps by state, and show what keeps the engine going",
		func(ctx context.Context, e *direct.Executor, _ nothing) (executor.SystemHealthCounts, error) {
			return e.GetSystemHealthCounts(ctx)
		}),
	list("/v1/health/stale-tasks", "listStaleTasks", "List open tasks by how long they have made no progress",
		func(ctx context.Context, e *direct.Executor, in staleness) ([]gen.TaskStaleness, error) {
			return e.GetTaskStaleness(ctx, value(in.Status), in.Limit)
		}),
	list("/v1/health/workers", "listWorkers", "List the workers that were seen in the last hour",
		func(ctx context.Context, e *direct.Executor, _ nothing) ([]gen.WorkerDetail, error) {
			return e.ListWorkers(ctx, time.Hour)
		}).sorted("list_workers"),
	list("/v1/health/unserved-steps", "listUnservedSteps", "List the handlers with ready steps that no running worker has",
		func(ctx context.Context, e *direct.Executor, _ nothing) ([]gen.UnservedStep, error) {
			return e.ListUnservedSteps(ctx, nil)
		}),
	list("/v1/health/maintenance", "listMaintenance", "List the duties of maintenance, and how each went",
		func(ctx context.Context, e *direct.Executor, _ nothing) ([]gen.MaintenanceDuty, error) {
			return e.ListMaintenanceDuties(ctx)
		}),
	list("/v1/health/installation", "checkInstallation", "Check how server and database are set up",
		func(ctx context.Context, e *direct.Executor, _ nothing) ([]gen.InstallationFinding, error) {
			return e.CheckInstallation(ctx)
		}),
)

type staleness struct {
	Status *string `query:"status" enum:"healthy warning stale" doc:"With this status only."`
	Limit  int32   `query:"limit" default:"100" minimum:"1" maximum:"1000" doc:"How many items at most."`
}

var analyticsOperations = group(
	"Analytics",
	read("/v1/analytics", "getAnalytics", "Show what the system did since a time",
		func(ctx context.Context, e *direct.Executor, in since) (gen.AnalyticsMetrics, error) {
			return e.GetAnalyticsMetrics(ctx, value(in.Since))
		}),
	list("/v1/analytics/throughput", "getThroughput", "Count what happened in each stretch of time",
		func(ctx context.Context, e *direct.Executor, in throughput) ([]gen.Throughput, error) {
			bucket := time.Duration(in.BucketSeconds) * time.Second
			return e.GetThroughput(ctx, value(in.Since), bucket, value(in.Namespace))
		}),
	list("/v1/analytics/queues", "getQueueHistory", "Say how long the queues were in each stretch of time, at most",
		func(ctx context.Context, e *direct.Executor, in throughput) ([]gen.QueueLength, error) {
			bucket := time.Duration(in.BucketSeconds) * time.Second
			return e.GetQueueHistory(ctx, value(in.Since), bucket, value(in.Namespace))
		}).and("The last seven days are known, by one look in a minute."),
	list("/v1/analytics/slowest-steps", "getSlowestSteps", "List the handlers whose executions took longest",
		func(ctx context.Context, e *direct.Executor, in slowest) ([]gen.SlowestStepAnalysis, error) {
			return e.GetSlowestSteps(ctx, in.filter())
		}),
	list("/v1/analytics/slowest-tasks", "getSlowestTasks", "List the templates whose tasks took longest",
		func(ctx context.Context, e *direct.Executor, in slowest) ([]gen.SlowestTaskAnalysis, error) {
			return e.GetSlowestTasks(ctx, sqlfn.GetSlowestTasksParams(in.filter()))
		}),
	list("/v1/analytics/totals", "getTotals", "Show what each namespace has ever done",
		func(ctx context.Context, e *direct.Executor, _ nothing) ([]gen.WorkTotals, error) {
			return e.GetWorkTotals(ctx, false)
		}),
)

type since struct {
	Since *time.Time `query:"since" doc:"When the period begins; 24 hours ago if it is left out."`
}

type throughput struct {
	Since         *time.Time `query:"since" doc:"When the period begins; 24 hours ago if it is left out."`
	BucketSeconds int32      `query:"bucket_seconds" default:"3600" minimum:"60" maximum:"31536000" doc:"How long each stretch is."`
	Namespace     *string    `query:"namespace" doc:"Of this namespace."`
}

type slowest struct {
	Since     *time.Time `query:"since" doc:"When the period begins; 24 hours ago if it is left out."`
	Limit     *int32     `query:"limit" minimum:"1" maximum:"1000" doc:"How many items at most; 10 if it is left out."`
	Namespace *string    `query:"namespace" doc:"Of this namespace."`
	TaskName  *string    `query:"task_name" doc:"Of templates of this name."`
	Version   *string    `query:"version" doc:"Of templates of this version."`
}

func (s slowest) filter() sqlfn.GetSlowestStepsParams {
	return sqlfn.GetSlowestStepsParams{
		Since: value(s.Since), Limit: value(s.Limit), Namespace: value(s.Namespace), TaskName: value(s.TaskName), Version: value(s.Version),
	}
}
