package together

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"weak"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Pools has the Calls of one kind for each pool. Make returns the Calls of a pool. The Calls must hold the pool weakly, too,
// since a map must not keep a pool alive.
type Pools[In, Out any] struct {
	Make func(pool weak.Pointer[pgxpool.Pool]) *Calls[In, Out]

	known sync.Map // weak.Pointer[pgxpool.Pool] to *Calls[In, Out]
}

// Of returns the calls on db. It returns nil if db is not a pool, since a transaction's calls cannot be shared. It also
// returns nil for a pool with hooks that may choose a connection by the caller's context.
func (p *Pools[In, Out]) Of(db any) *Calls[In, Out] {
	pool, ok := db.(*pgxpool.Pool)
	if !ok || pool == nil {
		return nil
	}
	key := weak.Make(pool)
	if known, found := p.known.Load(key); found {
		return known.(*Calls[In, Out])
	}
	var calls *Calls[In, Out]
	if config := pool.Config(); config.BeforeAcquire == nil && config.PrepareConn == nil { //nolint:staticcheck // a deprecated hook counts, too
		calls = p.Make(key)
	}
	known, found := p.known.LoadOrStore(key, calls)
	if !found {
		runtime.AddCleanup(pool, func(key weak.Pointer[pgxpool.Pool]) { p.known.Delete(key) }, key)
	}
	return known.(*Calls[In, Out])
}

// Impatient is a pool whose queries do not wait long for a lock. A transaction that holds the identity of one task must not hold
// up the other tasks of a shared call.
type Impatient struct{ *pgxpool.Pool }

// Query sends the time-out for locks and the query in one message and one transaction.
func (p Impatient) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
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

// batchRows are rows whose end also ends the batch and its transaction.
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
