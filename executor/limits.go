package executor

import (
	"context"
)

// Limits returns the functions about limits.
func (r *FunctionRegistry) Limits() LimitFunctions { return r.executor }

// LimitFunctions are the functions about limits: how many steps that name one run at once, and how many start in a
// time. A nil bound is none.
type LimitFunctions interface {
	SetLimit(ctx context.Context, arg SetLimitParams) (LimitDetail, error)
	DropLimit(ctx context.Context, namespace, name string) (bool, error)
	ListLimits(ctx context.Context, namespace string) ([]LimitDetail, error)
	ListLimitKeys(ctx context.Context, namespace, name string, maxRows int32) ([]LimitKeyDetail, error)
}
