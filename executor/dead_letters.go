package executor

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"
)

// DLQ returns the functions about stale tasks and their investigation.
func (r *FunctionRegistry) DLQ() DLQFunctions { return r.executor }

// DLQFunctions are the functions about stale tasks and their investigation.
type DLQFunctions interface {
	CalculateStalenessThreshold(ctx context.Context, state string, lifecycle json.RawMessage) (*int32, error)
	GetTaskStaleness(ctx context.Context, healthStatus string, limit int32) ([]TaskStaleness, error)
	GetStaleTasksForDLQ(ctx context.Context, arg GetStaleTasksForDLQParams) ([]TaskStaleness, error)
	DetectAndTransitionStaleTasks(ctx context.Context, arg DetectAndTransitionStaleTasksParams) ([]StaleTaskAction, error)
	CreateDLQEntry(ctx context.Context, arg CreateDLQEntryParams) (uuid.UUID, error)
	ListDLQEntries(ctx context.Context, arg ListDLQEntriesParams) ([]DLQEntry, error)
	GetDLQEntry(ctx context.Context, entryUUID uuid.UUID) (DLQEntry, error)
	ResolveDLQEntry(ctx context.Context, entryUUID uuid.UUID, resolutionStatus string, notes string) (bool, error)
	RequeueDLQEntry(ctx context.Context, entryUUID uuid.UUID, notes string) (bool, error)
	RequeueDLQEntries(ctx context.Context, arg RequeueDLQEntriesParams) ([]DLQRequeue, error)
	FindDLQEntriesByShortID(ctx context.Context, shortID string) ([]uuid.UUID, error)
	GetDLQDashboard(ctx context.Context) ([]DLQReasonCounts, error)
	GetDLQInvestigationQueue(ctx context.Context, limit int32) ([]DLQInvestigation, error)
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
