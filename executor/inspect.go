package executor

import (
	"context"

	"github.com/google/uuid"
)

// ListSteps returns all steps of a task by number, with states, attempts, times and results. It returns ErrNotFound if
// there is no such task. [SqlFunctionExecutor.PageSteps] reads a page of them.
func (e *SqlFunctionExecutor) ListSteps(ctx context.Context, taskUUID uuid.UUID) ([]StepDetail, error) {
	rows, err := e.q.ListSteps(ctx, taskUUID, nil, nil)
	return rows, err
}

// PageSteps returns at most limit steps of a task by number, those after the step number after. It returns
// ErrNotFound if there is no such task.
func (e *SqlFunctionExecutor) PageSteps(ctx context.Context, taskUUID uuid.UUID, after, limit int32) ([]StepDetail, error) {
	rows, err := e.q.ListSteps(ctx, taskUUID, &after, &limit)
	return rows, err
}

// TaskExecutionContext is a task's progress, whether it moves, and the next action. The embedded row
// has all that the database says.
type TaskExecutionContext struct {
	ExecutionContext
}

// ExecutionStatus says whether a task moves, and if not, what it waits for. A newer database may have more
// than these.
type ExecutionStatus string

// The statuses, in the order in which the database tests them: movable steps before failed ones.
const (
	// ExecutionEnded is a task that has ended, in whatever way.
	ExecutionEnded ExecutionStatus = "ended"
	// ExecutionReady is a task with steps that may be enqueued now.
	ExecutionReady ExecutionStatus = "has_ready_steps"
	// ExecutionProcessing is a task with steps in the queue or with workers.
	ExecutionProcessing ExecutionStatus = "processing"
	// ExecutionRetrying is a task of which only steps remain that wait for their next attempt.
	ExecutionRetrying ExecutionStatus = "waiting_for_retry"
	// ExecutionBlocked is a task with a failed step in which nothing else can move.
	ExecutionBlocked ExecutionStatus = "blocked_by_failures"
	// ExecutionAllComplete is a task that has nothing left to do and has not been finalised.
	ExecutionAllComplete ExecutionStatus = "all_complete"
	// ExecutionWaiting is a task whose open steps all wait for others, or for their start.
	ExecutionWaiting ExecutionStatus = "waiting_for_dependencies"
)

// RecommendedAction is the next action of an orchestrator or an operator on a task.
type RecommendedAction string

// The actions, one for each status.
const (
	ActionNone                RecommendedAction = "none"
	ActionExecuteReadySteps   RecommendedAction = "execute_ready_steps"
	ActionWaitForCompletion   RecommendedAction = "wait_for_completion"
	ActionWaitForRetry        RecommendedAction = "wait_for_retry"
	ActionHandleFailures      RecommendedAction = "handle_failures"
	ActionFinalizeTask        RecommendedAction = "finalize_task"
	ActionWaitForDependencies RecommendedAction = "wait_for_dependencies"
)

// TaskHealth is how a task is.
type TaskHealth string

// The kinds of health.
const (
	// HealthHealthy is a task in which nothing has failed.
	HealthHealthy TaskHealth = "healthy"
	// HealthRecovering is a task with a step that waits for a retry, or that failed while others continue.
	HealthRecovering TaskHealth = "recovering"
	// HealthBlocked is a task that needs an operator.
	HealthBlocked TaskHealth = "blocked"
	// HealthEnded is a task that has ended.
	HealthEnded TaskHealth = "ended"
)

// ExecutionStatus returns whether the task moves, and if not, what it waits for.
func (c TaskExecutionContext) ExecutionStatus() ExecutionStatus {
	return ExecutionStatus(c.ExecutionContext.ExecutionStatus)
}

// RecommendedAction returns the next action on the task.
func (c TaskExecutionContext) RecommendedAction() RecommendedAction {
	return RecommendedAction(c.ExecutionContext.RecommendedAction)
}

// HealthStatus returns how the task is.
func (c TaskExecutionContext) HealthStatus() TaskHealth {
	return TaskHealth(c.ExecutionContext.HealthStatus)
}

// HasReadySteps reports whether steps of the task may be enqueued now.
func (c TaskExecutionContext) HasReadySteps() bool { return c.ReadySteps > 0 }

// IsBlocked reports whether the task waits for an operator.
func (c TaskExecutionContext) IsBlocked() bool { return c.ExecutionStatus() == ExecutionBlocked }

// IsComplete reports whether every step of the task is settled.
func (c TaskExecutionContext) IsComplete() bool {
	return c.CompletedSteps+c.CancelledSteps == c.TotalSteps
}

// GetTaskExecutionContext returns a task's progress, whether it moves, and the next action. It
// returns ErrNotFound if there is no such task.
func (e *SqlFunctionExecutor) GetTaskExecutionContext(
	ctx context.Context, taskUUID uuid.UUID,
) (TaskExecutionContext, error) {
	row, err := e.q.GetTaskExecutionContext(ctx, taskUUID)
	return TaskExecutionContext{ExecutionContext(row)}, err
}

// GetTaskExecutionContexts returns the same for many tasks, by task. One that does not exist has none.
func (e *SqlFunctionExecutor) GetTaskExecutionContexts(
	ctx context.Context, taskUUIDs []uuid.UUID,
) ([]TaskExecutionContext, error) {
	rows, err := e.q.GetTaskExecutionContexts(ctx, taskUUIDs)
	contexts := make([]TaskExecutionContext, len(rows))
	for i, row := range rows {
		contexts[i] = TaskExecutionContext{ExecutionContext(row)}
	}
	return contexts, err
}
