package worker

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/inner"
	"github.com/pgtasker/pgtasker/template"
)

// Worker claims steps and runs their handlers. Make a worker with [New], add handlers with [Handle], and call [Worker.Run].
type Worker struct {
	pool   *pgxpool.Pool
	config Config
	uuids  []uuid.UUID // one for each exchange that may run at the same time

	mu         sync.Mutex
	entries    map[string]*entry
	middleware []Middleware
	required   []*template.Template
	spaces     map[string]bool // that RequireNamespace named
	started    bool
	observers  []func(ctx context.Context, call inner.ExchangeCall)
	onLarge    []func(step gen.ClaimedStep)

	live   atomic.Pointer[run]
	counts counts
}

// counts holds the counters behind Stats.
type counts struct {
	claimed, completed, failed, released, refused, suspended, exchanges, running, large atomic.Int64
}

// Stats holds the counts of a worker since the worker was created.
type Stats struct {
	// Claimed is the number of claimed steps. The other fields count the steps among them that were Completed, Failed (retried or not),
	// Released (handed back when the worker stopped), Refused (lost or cancelled meanwhile) and Suspended (their function waits).
	Claimed, Completed, Failed, Released, Refused, Suspended int64
	// Exchanges is how many calls recorded results and claimed steps.
	Exchanges int64
	// Running is how many handlers run now.
	Running int64
	// Large is how many results had more than half of the bytes that the setting result_bytes allows.
	Large int64
}

// New returns a worker that uses pool, which the caller closes. Outside of the pool the worker opens one more connection, for LISTEN. New
// starts nothing. If pool is nil, only [Worker.Do] works, which runs single steps.
func New(pool *pgxpool.Pool, config Config) (*Worker, error) {
	config = config.withDefaults(pool)
	if err := config.validate(); err != nil {
		return nil, err
	}
	w := &Worker{pool: pool, config: config, entries: map[string]*entry{}, spaces: map[string]bool{}}
	for range config.Exchanges {
		w.uuids = append(w.uuids, uuid.New())
	}
	return w, nil
}

// Use wraps all handlers in middleware. The first middleware is the outermost.
func (w *Worker) Use(middleware ...Middleware) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.started {
		panic("worker: Use after Run")
	}
	w.middleware = append(w.middleware, middleware...)
}

// Stats returns the counts of the worker so far.
func (w *Worker) Stats() Stats {
	c := &w.counts
	return Stats{
		Claimed: c.claimed.Load(), Completed: c.completed.Load(), Failed: c.failed.Load(),
		Released: c.released.Load(), Refused: c.refused.Load(), Suspended: c.suspended.Load(),
		Exchanges: c.exchanges.Load(), Running: c.running.Load(), Large: c.large.Load(),
	}
}

// Run claims and runs steps until ctx ends. Then it claims no further steps and gives running handlers StopTimeout to finish. After that it
// cancels the contexts of handlers that have not finished, records results, hands back steps that were not begun, and returns nil. Run
// waits for the last handler to return, so a handler that ignores its context delays Run. The step of such a handler goes to another worker
// when the lease has ended. Run returns an error if some results could not be recorded. Their steps will run again.
//
// While the database is unreachable, Run waits, keeps the results and records them later. Run can be called only once.
func (w *Worker) Run(ctx context.Context) error {
	entries, err := w.start()
	if err != nil {
		return err
	}
	return newRun(ctx, w, entries).run(ctx)
}

func (w *Worker) add(e *entry) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.started:
		panic(fmt.Sprintf("worker: Handle(%q) after Run", e.name))
	case e.name == "":
		panic("worker: the handler has no name")
	case w.entries[e.name] != nil:
		panic(fmt.Sprintf("worker: handler %q is already registered", e.name))
	}
	w.entries[e.name] = e
}

// start returns the handlers, each wrapped in all of its middleware.
func (w *Worker) start() (map[string]*entry, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.started:
		return nil, errors.New("worker: Run was already called; create a new worker")
	case w.misplaced() != nil:
		return nil, w.misplaced()
	case w.pool == nil:
		return nil, errors.New("worker: the pool is nil")
	case len(w.entries) == 0:
		return nil, errors.New("worker: no handler is registered; add one with worker.Handle")
	}
	if err := checkPool(w.entries, w.pool); err != nil {
		return nil, err
	}
	if err := missing(w.entries, w.config.Elsewhere, w.required); err != nil {
		return nil, err
	}
	w.started = true
	return w.wrapped(), nil
}

func (w *Worker) wrapped() map[string]*entry {
	entries := make(map[string]*entry, len(w.entries))
	for name, e := range w.entries {
		wrapped := *e
		wrapped.codec = w.config.Codec
		wrapped.call = wrap(wrap(e.call, e.middleware), w.middleware)
		entries[name] = &wrapped
	}
	return entries
}
