package executor

import (
	"context"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

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

// DLQEntry is an entry of the dead-letter queue.
type DLQEntry struct{ gen.DLQEntry }

// GetDLQEntry returns an entry. ErrNotFound if there is none.
func (e *SqlFunctionExecutor) GetDLQEntry(ctx context.Context, entryUUID uuid.UUID) (DLQEntry, error) {
	row, err := e.Functions.GetDLQEntry(ctx, entryUUID)
	return DLQEntry{row}, err
}

// ListDLQEntries returns entries, the newest first. The next page begins before the last entry of this one.
func (e *SqlFunctionExecutor) ListDLQEntries(ctx context.Context, arg sqlfn.ListDLQEntriesParams) ([]DLQEntry, error) {
	rows, err := e.Functions.ListDLQEntries(ctx, arg)
	return each(rows, func(row gen.DLQEntry) DLQEntry { return DLQEntry{row} }), err
}

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
