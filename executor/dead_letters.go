package executor

import ()

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
