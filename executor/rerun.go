package executor

import (
	"context"

	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

// RerunStep runs a step again, or replaces its result. The new result is encrypted if the template asks for encryption.
func (e *SqlFunctionExecutor) RerunStep(ctx context.Context, arg sqlfn.RerunStepParams) (_ bool, err error) {
	if arg.Results, err = e.sealResult(ctx, arg.StepUUID, arg.Results); err != nil {
		return false, err
	}
	return e.Functions.RerunStep(ctx, arg)
}
