package executor

import (
	"context"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

// SetSchedule creates a schedule or changes it. The context is encrypted if the template asks for encryption: of a schedule without a
// version, the newest template now. A tick of a template that encrypts later is refused.
func (e *SqlFunctionExecutor) SetSchedule(ctx context.Context, arg sqlfn.SetScheduleParams, by ...sqlfn.By) (_ gen.Schedule, err error) {
	if arg.Context, err = e.sealContext(ctx, arg.Namespace, arg.TaskName, arg.TaskVersion, arg.Context); err != nil {
		return gen.Schedule{}, err
	}
	return e.Functions.SetSchedule(ctx, arg, by...)
}
