package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/durable"
	"github.com/pgtasker/pgtasker/internal/kin"
	"github.com/pgtasker/pgtasker/internal/lent"
	"github.com/pgtasker/pgtasker/internal/listen"
	"github.com/pgtasker/pgtasker/internal/outage"
	"github.com/pgtasker/pgtasker/internal/sqlsteps"
)

// database is the interface of a worker's calls besides the calls of its lines.
type database interface {
	ReleaseSteps(ctx context.Context, claims []direct.StepClaim) ([]gen.StepAnswer, error)
	ExtendLeases(ctx context.Context, claims []direct.StepClaim, lease time.Duration) ([]gen.StepLease, error)
	durable.Store
	SnoozeStep(ctx context.Context, claim direct.StepClaim, d time.Duration, reason string) (gen.KeptAnswer, error)
	AppendItems(ctx context.Context, batch sqlfn.AppendItemsParams) (gen.StreamAnswer, error)
	SetValue(ctx context.Context, value sqlfn.SetValueParams) (gen.StreamAnswer, error)
	CheckpointStep(ctx context.Context, claim direct.StepClaim, checkpoint json.RawMessage, lease time.Duration) (gen.LeaseAnswer, error)
	NextDueAt(ctx context.Context, namespaces []string, orchestrator bool) (*time.Time, error)
	NextLaterAt(ctx context.Context, namespaces []string) (*time.Time, error)
	Clock(ctx context.Context) (time.Time, error)
	GetSetting(ctx context.Context, name string) (string, error)
	GetTask(ctx context.Context, taskUUID uuid.UUID) (executor.TaskDetail, error)
	GetParentResults(ctx context.Context, stepUUID uuid.UUID, afterStepNo, maxRows int32) ([]gen.ParentResult, error)
	RegisterWorker(ctx context.Context, worker sqlfn.RegisterWorkerParams) (bool, error)
	GetAncestorResult(ctx context.Context, stepUUID uuid.UUID, name string) ([]gen.ParentResult, error)
	DoDuties(ctx context.Context) ([]gen.MaintenanceDuty, error)
	ListUnservedSteps(ctx context.Context, namespaces []string) ([]gen.UnservedStep, error)
	HeartbeatWorker(ctx context.Context, workerUUID uuid.UUID) (bool, error)
	CreateTask(ctx context.Context, request executor.TaskRequest) (executor.TaskCreation, error)
	StartTask(ctx context.Context, request direct.StartRequest) (direct.StartedTask, error)
	ListNamespaces(ctx context.Context) ([]gen.TaskNamespace, error)
	ClaimDeliveredSteps(ctx context.Context, stepUUIDs []uuid.UUID, workerUUID uuid.UUID, lease time.Duration) (direct.ExchangeReply, error)
}

// run is a running worker. Its goroutines are the loop, which alone decides, one for each running call of the loop, one for each handler,
// and one each for leases, presence, duties and notifications.
type run struct {
	config  Config
	uuids   []uuid.UUID
	courier uuid.UUID // the worker that claims the steps of messages
	db      database
	open    func(ctx context.Context) (line, error)
	pool    *pgxpool.Pool                             // nil without one
	begin   func(ctx context.Context) (pgx.Tx, error) // nil without a pool
	places  lent.Places                               // of handlers with a transaction
	log     *slog.Logger
	watch   *outage.Watch
	away    atomic.Int64 // when the server was away last, in Unix nanoseconds
	short   atomic.Int64 // when the login last had no connection left for a call
	counts  *counts
	onLarge []func(step gen.ClaimedStep)
	begun   time.Time

	entries   map[string]*entry
	steps     running
	facts     facts
	shared    shared // values that several steps use
	inbox     inbox
	ear       ear
	cancelled chan struct{} // wakes the renewal of leases

	openLeases func(ctx context.Context) (leaseLine, error)

	warm     func(ctx context.Context) // the lines at the beginning, nil for none
	listener *listen.Listener          // nil with PollOnly
	heard    []string                  // channels of the listener
	offset   clockOffset
	// resultBytes is the setting result_bytes, or 0 before it is known.
	resultBytes atomic.Int64

	stopping <-chan struct{} // closed when the worker stops

	asks chan func(l *loop) // requests of other goroutines to the loop
	over chan struct{}      // closed when the loop has ended

	handlers context.Context // context of handlers: ends when the StopTimeout has passed
	calls    context.Context // context of calls: ends when no goroutine waits for their outcome
	cancel   context.CancelCauseFunc
	abandon  context.CancelFunc
	working  sync.WaitGroup // handlers and calls
}

func newRun(ctx context.Context, w *Worker, entries map[string]*entry) *run {
	r := makeRun(ctx, w, entries, direct.New(w.pool), w.observe(openLine(w.pool, !w.config.PollOnly)))
	r.pool, r.openLeases = w.pool, openLeases(w.pool, r.db)
	r.warm = func(ctx context.Context) {
		checking, cancel := context.WithTimeout(ctx, warmWithin) // a silent server must not keep the worker from starting
		defer cancel()
		switch err := kin.CheckBuild(checking, w.pool); {
		case err == nil || checking.Err() != nil:
		case errors.Is(err, kin.ErrNewerBuild):
			r.log.InfoContext(ctx, err.Error())
		default:
			r.log.WarnContext(ctx, "the schema of the database is not that of this program", "error", err, "hint", "tasker doctor names the files that differ")
		}
		warmLines(ctx, w.pool, w.config.Exchanges, r.log)
	}
	return r
}

func makeRun(
	ctx context.Context, w *Worker, entries map[string]*entry, db database, open func(ctx context.Context) (line, error),
) *run {
	r := &run{
		config: w.config, uuids: w.uuids, courier: uuid.New(), db: db, open: open, counts: &w.counts, onLarge: w.onLarge, entries: entries, begun: time.Now(),
		log:       w.config.Logger.With("worker", w.config.Name),
		steps:     running{lease: w.config.Lease, steps: map[direct.StepClaim]*runningStep{}},
		facts:     facts{steps: map[direct.StepClaim]gen.ClaimedStep{}},
		inbox:     inbox{signal: make(chan struct{}, 1)},
		ear:       ear{signal: make(chan struct{}, 1), lines: map[uint32]*slot{}},
		asks:      make(chan func(l *loop)),
		over:      make(chan struct{}),
		cancelled: make(chan struct{}, 1),
	}
	r.watch = outage.New(r.log)
	r.places = make(lent.Places, placesFor(w.config, w.pool, entries))
	r.steps.ended = r.leaseEnded
	r.openLeases = func(context.Context) (leaseLine, error) { return sharedLine{db}, nil }
	if !w.config.PollOnly {
		r.listener = r.newListener()
	}
	r.watch.NoPlace = r.giveWay
	alive := context.WithoutCancel(ctx)
	r.handlers, r.cancel = context.WithCancelCause(alive)
	r.calls, r.abandon = context.WithCancel(alive)
	r.stopping = ctx.Done()
	if w.pool != nil {
		// A result is kept at this level only, whatever the login's default is.
		r.begin = func(ctx context.Context) (pgx.Tx, error) {
			return w.pool.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.ReadCommitted})
		}
	}
	w.live.Store(r)
	return r
}

func (r *run) run(ctx context.Context) error {
	r.sayPlaces()
	r.log.InfoContext(ctx, "worker starts", "handlers", len(r.entries), "concurrency", r.config.Concurrency)
	attend, leave := context.WithCancel(r.calls)
	defer r.abandon()
	defer r.cancel(nil)

	var attending sync.WaitGroup
	attending.Go(func() { r.renewLeases(attend) })
	attending.Go(func() { r.bePresent(attend) })
	if !r.config.NoMaintenance {
		// A stopping worker begins no duty.
		attending.Go(func() { r.doDuties(ctx) })
	}
	if r.pool != nil && !r.config.NoMaintenance {
		steps := &sqlsteps.Driver{DB: r.pool, Namespaces: r.config.Namespaces, Logger: r.log}
		attending.Go(func() { steps.Run(ctx, r.handlers) })
	}
	if r.listener != nil {
		// Nothing wakes a stopping worker.
		attending.Go(func() { r.listener.Run(ctx) })
	}

	if r.config.Broker != nil {
		attending.Go(func() { r.carry(ctx) })
	}
	if r.warm != nil {
		r.warm(ctx)
	}
	lost := newLoop(r).work(ctx)
	close(r.over)
	r.working.Wait()
	leave()
	attending.Wait()

	r.log.InfoContext(ctx, "worker stopped", "completed", r.counts.completed.Load(), "failed", r.counts.failed.Load())
	if lost > 0 {
		return fmt.Errorf("worker: %d results could not be recorded; their steps will run again", lost)
	}
	return nil
}

// outcome is a handler's outcome and the next action.
type outcome struct {
	result direct.StepResult
	group  *group
	fate   fate
}

type fate int

const (
	toRecord  fate = iota
	toRelease      // the worker stopped before the handler ended
	toDrop         // the worker has lost the step
	toLeave        // the step waits, and everything is recorded
	toForget       // its result is recorded
)

// handle runs the handler of a step that was claimed at since in a goroutine of its own, and puts its outcome into the inbox.
func (r *run) handle(claimed gen.ClaimedStep, e *entry, g *group, since time.Time) {
	ctx, cancel := context.WithCancelCause(r.handlers)
	claim := direct.StepClaim{StepUUID: claimed.StepUUID, ClaimNo: claimed.ClaimNo}
	r.steps.add(claim, cancel, since)
	r.facts.add(claimed)
	r.counts.running.Add(1)

	// The handler ended its goroutine (runtime.Goexit, a test's FailNow).
	out := outcome{group: g, result: direct.StepResult{StepClaim: claim, Error: "the handler ended its goroutine"}}
	r.working.Go(func() {
		defer func() {
			cancel(nil)
			if out.fate == toRecord {
				r.steps.finish(claim) // Its lease is renewed until the result is judged.
			} else {
				r.steps.remove(claim)
			}
			r.counts.running.Add(-1)
			r.inbox.put(out)
		}()
		var err error
		var refused refusedError
		out.result, err = e.invoke(ctx, claimed, r)
		switch cause := context.Cause(ctx); {
		case errors.Is(err, errRecorded):
			out.fate = toForget
		case errors.As(err, &refused):
			r.log.Warn("a result came too late or was refused; what its handler wrote is rolled back", r.facts.of(claim), "error", err)
			out.fate = toDrop
		case errors.Is(err, ErrSuspended):
			out.fate = toLeave
		case errors.Is(cause, errLeaseEnded):
			// The database has not said that the step is lost: it judges the result if the handler returned one.
			if out.result.Error != "" {
				out.fate = toRelease
			}
		case errors.Is(cause, ErrLost):
			out.fate = toDrop
		case errors.Is(cause, ErrCancelled): // The database decides: while the task is being undone, the result counts.
		case errors.Is(err, ErrStopping), errors.Is(cause, ErrStopping) && out.result.Error != "":
			out.fate = toRelease
		case snooze(err) != nil:
			if errors.Is(runWorld{r}.SnoozeStep(ctx, claim, snooze(err), out.result.Error), ErrSuspended) {
				out.fate = toLeave
			}
		case ofAnotherBuild(err) != nil:
			if errors.Is(runWorld{r}.LeaveStep(ctx, claim, ofAnotherBuild(err)), ErrSuspended) {
				out.fate = toLeave
			}
		}
	})
}

// inbox collects handlers' outcomes until the loop reads them.
type inbox struct {
	signal chan struct{}

	mu       sync.Mutex
	outcomes []outcome
}

func (i *inbox) put(out outcome) {
	i.mu.Lock()
	i.outcomes = append(i.outcomes, out)
	first := len(i.outcomes) == 1
	i.mu.Unlock()
	if first {
		select {
		case i.signal <- struct{}{}:
		default:
		}
	}
}

// take empties the inbox into the loop's slice.
func (i *inbox) take(into []outcome) []outcome {
	i.mu.Lock()
	defer i.mu.Unlock()
	into = append(into, i.outcomes...)
	clear(i.outcomes)
	i.outcomes = i.outcomes[:0]
	return into
}

// jittered returns d, randomly changed by up to a tenth, so that many workers do not call at once.
func jittered(d time.Duration) time.Duration {
	return d - d/10 + rand.N(d/5+1)
}
