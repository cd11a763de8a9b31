package executor

import (
	"context"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/gen"
)

// StepReadinessStatus describes a step and says whether the step may run now. The embedded row has all columns of the database.
type StepReadinessStatus struct {
	gen.StepReadiness
}

// CanExecuteNow reports whether the step may run now.
func (s StepReadinessStatus) CanExecuteNow() bool { return s.ReadyForExecution }

// BlockingReason returns why the step may not run now. It is empty if the step may run. The reasons, in the order in which the database
// tests them: "invalid_state" (the step has ended, is enqueued or has a worker), "task_ended", "dependencies_not_satisfied",
// "retry_not_eligible" (no attempt is left, or the failure is permanent), "backoff_not_expired", "task_halted" (another step failed),
// "task_not_started", "namespace_paused". A newer database may return other reasons.
func (s StepReadinessStatus) BlockingReason() string {
	if s.StepReadiness.BlockingReason == nil {
		return ""
	}
	return *s.StepReadiness.BlockingReason
}

// EffectiveBackoffSeconds returns how long the step waits after its last attempt, without the jitter. The worker of the attempt may have
// asked for this time. Otherwise the retry policy of the step decides. The time is 0 before the first attempt.
func (s StepReadinessStatus) EffectiveBackoffSeconds() float64 {
	return s.StepReadiness.EffectiveBackoffSeconds
}

// GetStepReadinessStatus returns the steps of a task in the order of their numbers, and says whether each step may run now. If stepUUIDs is
// not nil, it returns only these steps. The error is ErrNotFound if the task does not exist.
func (e *SqlFunctionExecutor) GetStepReadinessStatus(
	ctx context.Context, taskUUID uuid.UUID, stepUUIDs []uuid.UUID,
) ([]StepReadinessStatus, error) {
	rows, err := e.q.GetStepReadinessStatus(ctx, taskUUID, stepUUIDs)
	return statuses(rows), err
}

// GetStepReadinessStatusBatch returns the steps of many tasks, ordered by task and number. A task that does not exist has no steps.
func (e *SqlFunctionExecutor) GetStepReadinessStatusBatch(
	ctx context.Context, taskUUIDs []uuid.UUID,
) ([]StepReadinessStatus, error) {
	rows, err := e.q.GetStepReadinessStatusBatch(ctx, taskUUIDs)
	return statuses(rows), err
}

// GetReadySteps returns the steps of a task that may run now, in the order of their numbers. The error is ErrNotFound if the task does not
// exist.
func (e *SqlFunctionExecutor) GetReadySteps(
	ctx context.Context, taskUUID uuid.UUID,
) ([]StepReadinessStatus, error) {
	rows, err := e.q.GetReadySteps(ctx, taskUUID)
	return statuses(rows), err
}

func statuses(rows []gen.StepReadiness) []StepReadinessStatus {
	steps := make([]StepReadinessStatus, len(rows))
	for i, row := range rows {
		steps[i] = StepReadinessStatus{row}
	}
	return steps
}
