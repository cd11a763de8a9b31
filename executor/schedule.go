package executor

import (
	"context"

	"github.com/pgtasker/pgtasker/gen"
)

// Schedules returns the functions about tasks that recur.
func (r *FunctionRegistry) Schedules() ScheduleFunctions { return r.executor }

// ScheduleFunctions are the functions about schedules: which template a task is created from, and when. A nil actor is
// the role of the caller.
type ScheduleFunctions interface {
	SetSchedule(ctx context.Context, arg gen.SetScheduleParams) (gen.Schedule, error)
	DeleteSchedule(ctx context.Context, namespace, schedule string) (bool, error)
	PauseSchedule(ctx context.Context, namespace, schedule string, actor *string) (bool, error)
	ResumeSchedule(ctx context.Context, namespace, schedule string) (bool, error)
	RunScheduleNow(ctx context.Context, namespace, schedule string, actor *string) (gen.ScheduleTick, error)
	BackfillSchedule(ctx context.Context, arg gen.BackfillScheduleParams) (gen.Schedule, error)
	ListSchedules(ctx context.Context, namespace *string) ([]gen.Schedule, error)
	ListScheduleTicks(ctx context.Context, arg gen.ListScheduleTicksParams) ([]gen.ScheduleTick, error)
	NextRuns(ctx context.Context, namespace, schedule string, maxRows int32) ([]gen.ScheduleRun, error)
}
