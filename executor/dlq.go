package executor

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/gen"
)

// DLQ returns the functions about stale tasks and their investigation.
func (r *FunctionRegistry) DLQ() DLQFunctions { return r.executor }

// DLQFunctions are the functions about stale tasks and their investigation.
type DLQFunctions interface {
	CalculateStalenessThreshold(ctx context.Context, state string, lifecycle json.RawMessage) (*int32, error)
	GetTaskStaleness(ctx context.Context, healthStatus *string, limit *int32) ([]gen.TaskStaleness, error)
	GetStaleTasksForDLQ(ctx context.Context, arg gen.GetStaleTasksForDLQParams) ([]gen.TaskStaleness, error)
	DetectAndTransitionStaleTasks(ctx context.Context, arg gen.DetectAndTransitionStaleTasksParams) ([]gen.StaleTaskAction, error)
	CreateDLQEntry(ctx context.Context, arg gen.CreateDLQEntryParams) (uuid.UUID, error)
	ListDLQEntries(ctx context.Context, arg gen.ListDLQEntriesParams) ([]DLQEntry, error)
	GetDLQEntry(ctx context.Context, entryUUID uuid.UUID) (DLQEntry, error)
	ResolveDLQEntry(ctx context.Context, entryUUID uuid.UUID, resolutionStatus string, notes *string) (bool, error)
	RequeueDLQEntry(ctx context.Context, entryUUID uuid.UUID, notes *string) (bool, error)
	RequeueDLQEntries(ctx context.Context, arg gen.RequeueDLQEntriesParams) ([]gen.DLQRequeue, error)
	FindDLQEntriesByShortID(ctx context.Context, shortID string) ([]uuid.UUID, error)
	GetDLQDashboard(ctx context.Context) ([]gen.DLQReasonCounts, error)
	GetDLQInvestigationQueue(ctx context.Context, limit *int32) ([]gen.DLQInvestigation, error)
}

// DLQEntry is an investigation of a task. The embedded row has all that the database says.
type DLQEntry struct {
	gen.DLQEntry
}

// Why tasks are in the dead-letter queue.
const (
	DLQStalenessTimeout        = "staleness_timeout"
	DLQMaxRetriesExceeded      = "max_retries_exceeded"
	DLQDependencyCycleDetected = "dependency_cycle_detected"
	DLQWorkerUnavailable       = "worker_unavailable"
	DLQManual                  = "manual_dlq"
)

// The states of investigations.
const (
	DLQPending           = "pending"
	DLQManuallyResolved  = "manually_resolved"
	DLQPermanentlyFailed = "permanently_failed"
	DLQCancelled         = "cancelled"
)

// IsOpen reports whether the investigation is open.
func (d DLQEntry) IsOpen() bool { return d.ResolutionStatus == DLQPending }

// CanRequeue reports whether the task can run again: the investigation is open, and the task exists
// and neither done, cancelled nor resolved.
func (d DLQEntry) CanRequeue() bool {
	if !d.IsOpen() || d.CurrentState == nil {
		return false
	}
	switch *d.CurrentState {
	case "complete", "cancelled", "resolved_manually":
		return false
	}
	return true
}

// ListDLQEntries returns investigations that match every filter given, newest first and without their
// snapshots; nil is no filter.
func (e *SqlFunctionExecutor) ListDLQEntries(ctx context.Context, arg gen.ListDLQEntriesParams) ([]DLQEntry, error) {
	rows, err := e.Queries.ListDLQEntries(ctx, arg)
	entries := make([]DLQEntry, len(rows))
	for i, row := range rows {
		entries[i] = DLQEntry{row}
	}
	return entries, err
}

// GetDLQEntry returns an investigation with its snapshot. It returns ErrNotFound if there is none.
func (e *SqlFunctionExecutor) GetDLQEntry(ctx context.Context, entryUUID uuid.UUID) (DLQEntry, error) {
	row, err := e.Queries.GetDLQEntry(ctx, entryUUID)
	return DLQEntry{row}, err
}
