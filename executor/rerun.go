package executor

import (
	"context"

	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

// RerunStep runs a step again, or gives it another result, which is encrypted if the template asks for encryption.
func (e *SqlFunctionExecutor) RerunStep(ctx context.Context, arg sqlfn.RerunStepParams) (_ bool, err error) {
	if arg.Results, err = e.sealResult(ctx, arg.StepUUID, arg.Results); err != nil {
		return false, err
	}
	return e.Functions.RerunStep(ctx, arg)
}
