package executor

import (
	"context"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/gen"
)

// StepReadinessStatus is a step and whether it may run now. The embedded row has all that the database
// says; the methods answer the common questions.
type StepReadinessStatus struct {
	StepReadiness
}

// CanExecuteNow reports whether the step may run now.
func (s StepReadinessStatus) CanExecuteNow() bool { return s.ReadyForExecution }

// BlockingReason returns why the step may not run now, or NotBlocked if it may.
func (s StepReadinessStatus) BlockingReason() BlockingReason {
	if s.StepReadiness.BlockingReason == nil {
		return NotBlocked
	}
	return BlockingReason(*s.StepReadiness.BlockingReason)
}

// EffectiveBackoffSeconds returns the wait after the step's last attempt, before jitter: what its
// worker asked for, else what its policy says. It is 0 before the first attempt.
func (s StepReadinessStatus) EffectiveBackoffSeconds() float64 {
	return s.StepReadiness.EffectiveBackoffSeconds
}

// BlockingReason is why a step may not run now. A newer database may have more than these.
type BlockingReason string

// The reasons, in the order in which the database tests them.
const (
	// NotBlocked is the reason of a step that may run.
	NotBlocked BlockingReason = ""
	// BlockedByState is a step that has ended, is enqueued or has a worker.
	BlockedByState BlockingReason = "invalid_state"
	// BlockedByTaskEnded is an open step of a task that has ended.
	BlockedByTaskEnded BlockingReason = "task_ended"
	// BlockedByDependencies is a step whose parents have not all settled, or not as its join demands.
	BlockedByDependencies BlockingReason = "dependencies_not_satisfied"
	// BlockedByAttempts is a step that has used its attempts, or failed and may not be retried.
	BlockedByAttempts BlockingReason = "retry_not_eligible"
	// BlockedByBackoff is a step whose next attempt is not due yet.
	BlockedByBackoff BlockingReason = "backoff_not_expired"
	// BlockedByHalt is a step of a task that starts nothing more because another one failed.
	BlockedByHalt BlockingReason = "task_halted"
	// BlockedByStart is a step of a task whose start lies ahead.
	BlockedByStart BlockingReason = "task_not_started"
	// BlockedByPause is a step whose namespace is paused.
	BlockedByPause BlockingReason = "namespace_paused"
)

// GetStepReadinessStatus returns the steps of a task, or those of stepUUIDs if it is not nil, each with
// whether it may run now, by step number. It returns ErrNotFound if there is no such task.
func (e *SqlFunctionExecutor) GetStepReadinessStatus(
	ctx context.Context, taskUUID uuid.UUID, stepUUIDs []uuid.UUID,
) ([]StepReadinessStatus, error) {
	rows, err := e.q.GetStepReadinessStatus(ctx, taskUUID, stepUUIDs)
	return statuses(rows), err
}

// GetStepReadinessStatusBatch returns the steps of many tasks, by task and step number. A task that
// does not exist has none.
func (e *SqlFunctionExecutor) GetStepReadinessStatusBatch(
	ctx context.Context, taskUUIDs []uuid.UUID,
) ([]StepReadinessStatus, error) {
	rows, err := e.q.GetStepReadinessStatusBatch(ctx, taskUUIDs)
	return statuses(rows), err
}

// GetReadySteps returns the steps of a task that may run now, by step number. It returns ErrNotFound
// if there is no such task.
func (e *SqlFunctionExecutor) GetReadySteps(
	ctx context.Context, taskUUID uuid.UUID,
) ([]StepReadinessStatus, error) {
	rows, err := e.q.GetReadySteps(ctx, taskUUID)
	return statuses(rows), err
}

func statuses(rows []gen.StepReadiness) []StepReadinessStatus {
	steps := make([]StepReadinessStatus, len(rows))
	for i, row := range rows {
		steps[i] = StepReadinessStatus{StepReadiness(row)}
	}
	return steps
}
