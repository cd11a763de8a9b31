package executor

import (
	"context"
	"encoding/json"
	"weak"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/pgerr"
	"github.com/pgtasker/pgtasker/internal/together"
)

// creations collects the concurrent calls of CreateTask on one pool.
type creations = together.Calls[TaskRequest, TaskCreation]

var pools = together.Pools[TaskRequest, TaskCreation]{Make: newCreations}

func newCreations(pool weak.Pointer[pgxpool.Pool]) *creations {
	return &creations{
		Alone: func(ctx context.Context, request TaskRequest) (TaskCreation, error) {
			return (&SqlFunctionExecutor{q: gen.New(translator{db: pool.Value()})}).createTask(ctx, request)
		},
		Shared: func(ctx context.Context, requests []TaskRequest) ([]TaskCreation, error) {
			db := pool.Value()
			if db == nil {
				return nil, context.Canceled // every caller has gone, and with them the pool
			}
			return (&SqlFunctionExecutor{q: gen.New(translator{db: together.Impatient{Pool: db}})}).CreateTasks(ctx, shared(requests))
		},
		Apart: pgerr.RolledBack,
	}
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

func shared(requests []TaskRequest) TasksRequest {
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
