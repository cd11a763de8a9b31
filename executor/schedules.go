package executor

import (
	"context"
)

// Schedules returns the functions about tasks that recur.
func (r *FunctionRegistry) Schedules() ScheduleFunctions { return r.executor }

// ScheduleFunctions are the functions about schedules: which template a task is created from, and when. A nil actor is
// the role of the caller.
type ScheduleFunctions interface {
	SetSchedule(ctx context.Context, arg SetScheduleParams) (Schedule, error)
	DeleteSchedule(ctx context.Context, namespace, schedule string) (bool, error)
	PauseSchedule(ctx context.Context, namespace, schedule string, actor string) (bool, error)
	ResumeSchedule(ctx context.Context, namespace, schedule string) (bool, error)
	RunScheduleNow(ctx context.Context, namespace, schedule string, actor string) (ScheduleTick, error)
	BackfillSchedule(ctx context.Context, arg BackfillScheduleParams) (Schedule, error)
	ListSchedules(ctx context.Context, namespace string) ([]Schedule, error)
	ListScheduleTicks(ctx context.Context, arg ListScheduleTicksParams) ([]ScheduleTick, error)
	NextRuns(ctx context.Context, namespace, schedule string, maxRows int32) ([]ScheduleRun, error)
}
