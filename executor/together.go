package executor

import (
	"context"
	"encoding/json"
	"errors"
	"runtime"
	"sync"
	"weak"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/pgerr"
	"github.com/pgtasker/pgtasker/internal/together"
)

// creations are the calls of CreateTask that concern one pool.
type creations = together.Calls[TaskRequest, TaskCreation]

var pools sync.Map // weak.Pointer[pgxpool.Pool] to *creations

// gathered returns what gathers the calls of CreateTask on db, nil if db is not a pool: a transaction's calls are its own. The
// hooks of a pool may choose a connection by the caller's context, so that such callers do not share one.
func gathered(db DBTX) *creations {
	pool, ok := db.(*pgxpool.Pool)
	if !ok || pool == nil {
		return nil
	}
	key := weak.Make(pool)
	if known, found := pools.Load(key); found {
		return known.(*creations)
	}
	var calls *creations
	if config := pool.Config(); config.BeforeAcquire == nil && config.PrepareConn == nil { //nolint:staticcheck // old hooks count
		calls = newCreations(key)
	}
	known, found := pools.LoadOrStore(key, calls)
	if !found {
		runtime.AddCleanup(pool, func(key weak.Pointer[pgxpool.Pool]) { pools.Delete(key) }, key)
	}
	return known.(*creations)
}

// newCreations holds the pool weakly, as the key does: a map must not keep a pool alive.
func newCreations(pool weak.Pointer[pgxpool.Pool]) *creations {
	return &creations{
		Alone: func(ctx context.Context, request TaskRequest) (TaskCreation, error) {
			return (&SqlFunctionExecutor{q: gen.New(translator{db: pool.Value()})}).createTask(ctx, request)
		},
		Shared: func(ctx context.Context, requests []TaskRequest) ([]TaskCreation, error) {
			db := pool.Value()
			if db == nil {
				return nil, context.Canceled // every caller has gone, and the pool with them
			}
			return (&SqlFunctionExecutor{q: gen.New(translator{db: impatient{db}})}).CreateTasks(ctx, shared(requests))
		},
		Apart: pgerr.RolledBack,
	}
}

// sharing returns what requests have in common that may share a call. Only their contexts, keys and UUIDs may differ.
func sharing(request TaskRequest) (string, bool) {
	if request.TaskPolicy != (TaskPolicy{}) {
		return "", false
	}
	request.Context = nil
	// A call has keys, or UUIDs, for all of its tasks or for none.
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

// impatient is a pool whose queries do not wait long for a lock: who holds the identity of one task must not hold up the others of
// a shared call.
type impatient struct{ *pgxpool.Pool }

// Query sends the bound and the query as one message and one transaction.
func (p impatient) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	var batch pgx.Batch
	batch.Queue("select pg_catalog.set_config('lock_timeout', '100ms', true)")
	batch.Queue(sql, args...)
	results := p.SendBatch(ctx, &batch)
	if _, err := results.Exec(); err != nil {
		return nil, errors.Join(err, results.Close())
	}
	rows, err := results.Query()
	if err != nil {
		return nil, errors.Join(err, results.Close())
	}
	return &batchRows{rows, results, nil}, nil
}

// batchRows end their batch, whose end is that of its transaction.
type batchRows struct {
	pgx.Rows
	results pgx.BatchResults
	err     error
}

func (r *batchRows) Next() bool {
	if r.Rows.Next() {
		return true
	}
	r.Close()
	return false
}

func (r *batchRows) Close() {
	r.Rows.Close()
	if r.results != nil {
		r.err = r.results.Close()
		r.results = nil
	}
}

func (r *batchRows) Err() error {
	if err := r.Rows.Err(); err != nil {
		return err
	}
	return r.err
}
