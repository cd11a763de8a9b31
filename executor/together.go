package executor

import (
	"context"
	"encoding/json"
	"runtime"
	"strconv"
	"weak"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/pgerr"
	"github.com/pgtasker/pgtasker/internal/together"
)

var (
	creations = together.Pools[TaskRequest, TaskCreation]{Make: travelling((*SqlFunctionExecutor).createTask,
		func(e *SqlFunctionExecutor, ctx context.Context, requests []TaskRequest) ([]TaskCreation, error) {
			return e.CreateTasks(ctx, manyTasks(requests))
		})}
	emissions = together.Pools[Event, gen.EmittedEvent]{Make: travelling((*SqlFunctionExecutor).emitEvent, (*SqlFunctionExecutor).emitEvents)}
)

// travelling makes the calls of a pool that are made alone or together.
func travelling[In, Out any](
	alone func(e *SqlFunctionExecutor, ctx context.Context, in In) (Out, error),
	shared func(e *SqlFunctionExecutor, ctx context.Context, in []In) ([]Out, error),
) func(weak.Pointer[pgxpool.Pool]) *together.Calls[In, Out] {
	return func(pool weak.Pointer[pgxpool.Pool]) *together.Calls[In, Out] {
		return &together.Calls[In, Out]{
			Alone: func(ctx context.Context, in In) (Out, error) {
				return alone(&SqlFunctionExecutor{q: gen.New(translator{db: pool.Value()})}, ctx, in)
			},
			Shared: func(ctx context.Context, in []In) ([]Out, error) {
				db := pool.Value()
				if db == nil {
					return nil, context.Canceled // every caller has gone, and with them the pool
				}
				return shared(&SqlFunctionExecutor{q: gen.New(translator{db: together.Impatient{Pool: db}})}, ctx, in)
			},
			Apart: pgerr.RolledBack,
		}
	}
}

// travel makes a call alone, or with other calls on the same pool that share its key.
func travel[In, Out any](
	ctx context.Context, e *SqlFunctionExecutor, pools *together.Pools[In, Out], sharing func(In) (string, bool), in In,
	alone func(context.Context, In) (Out, error),
) (Out, error) {
	if calls := pools.Of(e.db); calls != nil {
		if key, alike := sharing(in); alike {
			defer runtime.KeepAlive(e.db)
			out, err := calls.Do(ctx, key, in)
			return out, noneFree(e.db, err)
		}
	}
	return alone(ctx, in)
}

// sharing returns a key that is equal for all requests that may share a call of the database. Only the contexts, identity keys and UUIDs of
// such requests differ. It returns false for a request that must not share a call.
func sharing(request TaskRequest) (string, bool) {
	if request.TaskPolicy != (TaskPolicy{}) {
		return "", false
	}
	request.Context = nil
	// A call has keys for all of its tasks or for none. The same holds for UUIDs.
	if request.IdentityKey != "" {
		request.IdentityKey = "given"
	}
	if request.TaskUUID != uuid.Nil {
		request.TaskUUID = uuid.Max
	}
	key, err := json.Marshal(request)
	return string(key), err == nil
}

func manyTasks(requests []TaskRequest) TasksRequest {
	first := requests[0]
	all := TasksRequest{
		Namespace: first.Namespace, Name: first.Name, Version: first.Version, TaskOptions: first.TaskOptions,
		Contexts: make([]json.RawMessage, len(requests)),
	}
	for i, request := range requests {
		all.Contexts[i] = request.Context
		if request.IdentityKey != "" {
			all.IdentityKeys = append(all.IdentityKeys, request.IdentityKey)
		}
		if request.TaskUUID != uuid.Nil {
			all.TaskUUIDs = append(all.TaskUUIDs, request.TaskUUID)
		}
	}
	return all
}

// sharingEvent returns the common part of events that may share a call: the namespace. A call has idempotency keys for all of its events
// or for none.
func sharingEvent(event Event) (string, bool) {
	return strconv.FormatBool(event.IdempotencyKey != "") + event.Namespace, true
}

func (e *SqlFunctionExecutor) emitEvent(ctx context.Context, event Event) (gen.EmittedEvent, error) {
	return e.q.EmitEvent(ctx, gen.EmitEventParams{
		Namespace: event.Namespace, Name: event.Name, Key: event.Key, Payload: event.Payload,
		IdempotencyKey: optional(event.IdempotencyKey),
	})
}

// emitEvents emits events of one namespace in one call. All have an idempotency key or none has one.
func (e *SqlFunctionExecutor) emitEvents(ctx context.Context, events []Event) ([]gen.EmittedEvent, error) {
	all := gen.EmitEventsParams{Namespace: events[0].Namespace}
	for _, event := range events {
		all.Names, all.Keys, all.Payloads = append(all.Names, event.Name), append(all.Keys, event.Key), append(all.Payloads, event.Payload)
		if event.IdempotencyKey != "" {
			all.IdempotencyKeys = append(all.IdempotencyKeys, event.IdempotencyKey)
		}
	}
	return e.q.EmitEvents(ctx, all)
}
