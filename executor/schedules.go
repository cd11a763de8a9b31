package executor

import (
	"context"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

// SetSchedule creates a schedule or changes it. The context is encrypted if the template asks for encryption. If the schedule names no
// version, the newest version at the time of the call decides. If a later version asks for encryption and the context is stored in the
// clear, its ticks are refused.
func (e *SqlFunctionExecutor) SetSchedule(ctx context.Context, arg sqlfn.SetScheduleParams, by ...sqlfn.By) (_ gen.Schedule, err error) {
	if arg.Context, err = e.sealContext(ctx, arg.Namespace, arg.TaskName, arg.TaskVersion, arg.Context); err != nil {
		return gen.Schedule{}, err
	}
	return e.Functions.SetSchedule(ctx, arg, by...)
}
