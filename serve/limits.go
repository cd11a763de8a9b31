package serve

import (
	"context"
	"net/http"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/direct"
)

var limitOperations = group(
	"Limits",
	list("/v1/limits", "listLimits", "List the limits by name, with what runs and waits under each",
		func(ctx context.Context, e *direct.Executor, in ofNamespace) ([]gen.LimitDetail, error) {
			return e.ListLimits(ctx, value(in.Namespace))
		}).sorted("list_limits"),
	read("/v1/limits/{namespace}/{name}", "getLimit", "Get a limit, with what runs and waits under it",
		func(ctx context.Context, e *direct.Executor, in limitName) (gen.LimitDetail, error) {
			limits, err := e.ListLimits(ctx, in.Namespace)
			if err != nil {
				return gen.LimitDetail{}, err
			}
			for _, l := range limits {
				if l.Name == in.Name {
					return l, nil
				}
			}
			_, err = e.ListLimitKeys(ctx, in.Namespace, in.Name, 1) // this call reports that the limit does not exist
			return gen.LimitDetail{}, err
		}),
	list("/v1/limits/{namespace}/{name}/keys", "listLimitKeys", "List the keys of a limit with steps that wait or run, or with bounds of their own, the longest lines first",
		func(ctx context.Context, e *direct.Executor, in limitKeys) ([]gen.LimitKeyDetail, error) {
			return e.ListLimitKeys(ctx, in.Namespace, in.Name, in.Limit)
		}).sorted("list_limit_keys"),
	write(http.MethodPut, "/v1/limits/{namespace}/{name}", "setLimit", "Set the bounds of a limit, for each key",
		func(ctx context.Context, e *direct.Executor, in limitBounds) (gen.LimitDetail, error) {
			return e.SetLimit(ctx, sqlfn.SetLimitParams{
				Namespace: in.Namespace, Name: in.Name, Concurrency: in.Concurrency, Rate: in.Rate, PerSeconds: value(in.PerSeconds),
				Burst: value(in.Burst),
			}, in.act())
		}).and("In force from the next claim on. Replaces all bounds: one that is left out is none."),
	write(http.MethodPut, "/v1/limits/{namespace}/{name}/keys", "setLimitKey", "Set the bounds of one key of a limit",
		func(ctx context.Context, e *direct.Executor, in limitKeyBounds) (gen.LimitKeyDetail, error) {
			return e.SetLimitKey(ctx, sqlfn.SetLimitKeyParams{
				Namespace: in.Namespace, Name: in.Name, LimitKey: in.LimitKey, Concurrency: in.Concurrency, Rate: in.Rate,
				PerSeconds: value(in.PerSeconds), Burst: value(in.Burst),
			}, in.act())
		}).and("In force from the next claim on, in place of all bounds of the limit: one that is left out is none."),
	write(http.MethodDelete, "/v1/limits/{namespace}/{name}/keys", "dropLimitKey", "Remove the bounds that one key of a limit has of its own",
		func(ctx context.Context, e *direct.Executor, in limitKeyEnd) (droppedLimitKey, error) {
			had, err := e.DropLimitKey(ctx, in.Namespace, in.Name, in.LimitKey, in.act())
			return droppedLimitKey{had}, err
		}).and("Those of the limit hold for the key again."),
	write(http.MethodDelete, "/v1/limits/{namespace}/{name}", "dropLimit", "Remove the bounds of a limit",
		func(ctx context.Context, e *direct.Executor, in limitEnd) (droppedLimit, error) {
			gone, err := e.DropLimit(ctx, in.Namespace, in.Name, in.act())
			return droppedLimit{gone}, err
		}).and("Steps that wait for it may start. The limit stays, without bounds, if steps name it."),
)

type limitName struct {
	Namespace string `path:"namespace" json:"-" doc:"The limit's namespace."`
	Name      string `path:"name" json:"-" doc:"The limit's name."`
}

type limitKeys struct {
	limitName
	limitedTo
}

type limitBounds struct {
	limitName
	intent
	Concurrency *int32 `json:"concurrency,omitempty" minimum:"0" maximum:"1000000" doc:"How many steps of one key may run at once."`
	Rate        *int32 `json:"rate,omitempty" minimum:"1" maximum:"1000000" doc:"How many steps of one key may start in per_seconds."`
	PerSeconds  *int32 `json:"per_seconds,omitempty" minimum:"1" maximum:"31536000" doc:"The time of the rate; a second by default."`
	Burst       *int32 `json:"burst,omitempty" minimum:"1" maximum:"1000000" doc:"How many may start at once after a pause; by default what a tenth of a second allows, at least 1."`
}

type limitKeyBounds struct {
	limitBounds
	LimitKey string `json:"limit_key" required:"true" doc:"The value that limit_key leads to, as text; empty for steps without a value."`
}

type limitKeyEnd struct {
	limitEnd
	LimitKey string `query:"limit_key" json:"-" required:"true" doc:"The value that limit_key leads to, as text; empty for steps without a value."`
}

type droppedLimitKey struct {
	Had bool `json:"had" doc:"Whether the key had bounds of its own."`
}

type limitEnd struct {
	limitName
	queryIntent
}

type droppedLimit struct {
	Gone bool `json:"gone" doc:"Whether the limit is gone; it stays, without bounds, if steps name it."`
}
