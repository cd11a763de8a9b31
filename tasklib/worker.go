package tasklib

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/internal/lent"
	"github.com/pgtasker/pgtasker/internal/listen"
	"github.com/pgtasker/pgtasker/internal/outage"
	"github.com/pgtasker/pgtasker/internal/pgerr"
	"github.com/pgtasker/pgtasker/tasklib/gen"
)

// WorkerConfig configures a worker. Its zero value works.
type WorkerConfig struct {
	// Concurrency is how many functions run at the same time, all together. Package worker has the same field with a default of 100,
	// because its handlers mostly wait for services. A task may take a core or much memory, or may not tolerate a second run beside it, so
	// the caller has to allow more than one at a time. Default: 1.
	Concurrency int
	// PollInterval is how long an idle worker waits before it polls, if no notification wakes it. Default: 1 s. The default in package
	// worker is 5 s, because a worker there also knows when the next work is due.
	PollInterval time.Duration
	// Prefetch is how many tasks are claimed beyond the running tasks, so that very short tasks need not wait for the next claim. Other
	// workers cannot run the prefetched tasks meanwhile. Default: 0.
	Prefetch int
	// Names of the tasks to run, among the names that are registered with a function. Default: all names.
	Names []string
	// StopTimeout is how long running functions may continue when the worker stops. Then their contexts end, and
	// unfinished tasks are handed back. Default: 30 s.
	StopTimeout time.Duration
	// PollOnly makes the worker poll without LISTEN, for poolers in transaction mode. Default: false.
	PollOnly bool
	// NoHousekeeping leaves schedules and expired tasks to other workers. Default: false.
	NoHousekeeping bool
}

const (
	callTimeout       = 30 * time.Second // the longest time of one call of the database
	shortestCall      = 5 * time.Second  // the longest time of one call of a worker with a short lock
	deliverWithin     = 10 * time.Second // how long a stopping worker tries to report, after its last function
	idleWithin        = 2 * time.Second  // how long a stopping worker waits for the answer to a claim
	maxBatch          = 1000             // tasks in one claim or report
	maxWorkerID       = 200              // characters, as the database takes them
	housekeepingEvery = time.Second      // schedules
	purgeEvery        = 30 * time.Second // expired tasks
	growAfter         = time.Millisecond // tasks that have waited this long get more runners
	gatherFor         = 2 * time.Millisecond
	shortestWait      = 2 * time.Millisecond   // between claims that a limit holds back
	awakeAfter        = 200 * time.Millisecond // claims were full for this long, so the worker needs no wake-up
	firstDelay        = 50 * time.Millisecond
	maxDelay          = 5 * time.Second // between two tries to reach the database
	maxRetry          = 2 * time.Second // between two tries to report
)

// Worker runs registered tasks. Make it with [Client.NewWorker].
type Worker struct {
	client    *Client
	config    WorkerConfig
	id        string
	functions *Functions
	logger    *slog.Logger
	watch     *outage.Watch
	away      atomic.Int64 // when the server was away last, in Unix nanoseconds
	short     atomic.Int64 // when the login last had no connection left for a call
	lock      time.Duration
	lockArg   *int32
	names     []string

	wake     chan struct{} // there may be tasks to claim
	freed    chan struct{} // a place is free
	queued   chan struct{} // tasks wait for a runner
	outbox   *outbox
	claimed  chan started     // claimed, for the next free runner
	places   lent.Places      // functions with a transaction
	leave    chan struct{}    // closed when the worker stops: no more tasks start
	started  chan struct{}    // closed when no more runners are started
	listener *listen.Listener // nil with PollOnly
	running  sync.WaitGroup   // runners
	idle     atomic.Int64     // runners without a task
	begun    atomic.Int64     // tasks that runners have taken

	shortAt time.Time // when a claim last found fewer tasks than it asked for

	limited       atomic.Bool // limits held tasks back at the last claim
	freedByReport atomic.Bool // a run was reported since the last claim
	askAt         time.Time   // no question about limits before this time, unless they held tasks back

	mu       sync.Mutex
	held     map[uuid.UUID]*held
	doubtful time.Time // until when claims with lost replies may turn up
}

// held is a task whose lock this worker has.
type held struct {
	task     gen.ClaimedTask
	cancel   context.CancelCauseFunc
	deadline time.Time // when a run that ignores its end has overstayed, zero for none
	renewed  time.Time
	end      *time.Timer // when the lock has certainly ended
}

// NewWorker returns a worker for the client's registered tasks.
func (c *Client) NewWorker(config WorkerConfig) *Worker {
	config.Concurrency = max(config.Concurrency, 1)
	config.Prefetch = max(config.Prefetch, 0)
	if config.PollInterval <= 0 {
		config.PollInterval = time.Second
	}
	if config.StopTimeout <= 0 {
		config.StopTimeout = 30 * time.Second
	}
	w := &Worker{
		client:    c,
		config:    config,
		id:        first(c.config.WorkerID, newWorkerID()),
		functions: c.Functions(),
		wake:      make(chan struct{}, 1),
		freed:     make(chan struct{}, 1),
		queued:    make(chan struct{}, 1),
		outbox:    newOutbox(),
		claimed:   make(chan started, config.Concurrency+config.Prefetch),
		leave:     make(chan struct{}),
		started:   make(chan struct{}),
		held:      map[uuid.UUID]*held{},
	}
	w.places = make(lent.Places, c.places())
	w.logger = c.config.Logger.With("worker", w.id)
	w.watch = outage.New(w.logger)
	if c.config.Lease > 0 {
		seconds := int32((c.config.Lease + time.Second - 1) / time.Second)
		w.lockArg = &seconds
	}
	return w
}

func newWorkerID() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	if len(host) > 100 {
		host = host[:100]
	}
	return fmt.Sprintf("%s-%d-%s", host, os.Getpid(), rand.Text()[:8])
}

// Run registers the client's tasks and works until ctx ends. Then it claims no further tasks, gives running functions StopTimeout to
// finish, reports, hands back unfinished tasks, and returns nil. It returns an error if it could not begin, because the database refused a
// name or an option. It also returns an error if runs could not be reported within 10 seconds after the last function: the tasks of these
// runs run again. While the database is away, Run waits for it. A worker runs once.
func (w *Worker) Run(ctx context.Context) error {
	if err := w.begin(ctx); err != nil || ctx.Err() != nil {
		return err
	}
	// The last reports to the database must outlive ctx.
	last, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()

	var helpers sync.WaitGroup
	helpers.Go(func() { w.keepLocks(last) })
	if !w.config.PollOnly {
		w.listener = w.newListener()
		w.watch.NoPlace = func() {
			w.short.Store(time.Now().UnixNano())
			w.listener.GiveWay()
		}
		helpers.Go(func() { w.listener.Run(ctx) })
	}
	if !w.config.NoHousekeeping {
		helpers.Go(func() { w.keepHouse(ctx) })
	}
	var reporter sync.WaitGroup
	reporter.Go(func() { w.reportAll(last) })

	go w.startRunners()
	w.claimAll(ctx, last)
	close(w.leave)
	close(w.claimed)
	for s := range w.claimed {
		w.work(s.ctx, s.held) // hands the tasks back
	}
	<-w.started
	if !waitFor(&w.running, w.config.StopTimeout) {
		w.logger.Warn("functions still run; their contexts are ended", "count", w.heldCount())
		w.cancelAll(errStopping)
		w.running.Wait()
	}
	w.outbox.close()
	waitFor(&reporter, deliverWithin)
	stop()
	reporter.Wait()
	helpers.Wait()
	if ids := w.outbox.owed(); len(ids) > 0 {
		return fmt.Errorf("tasklib: %d runs could not be reported; their tasks run again when their locks have ended", len(ids))
	}
	return nil
}

// outlive returns a context that ends with last, or d after ctx.
func outlive(ctx, last context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithCancel(last)
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(d, cancel) })
	return longer, func() { stop(); cancel() }
}

// waitFor waits for a group, but not longer than d. It reports whether all have finished.
func waitFor(group *sync.WaitGroup, d time.Duration) bool {
	finished := make(chan struct{})
	go func() {
		group.Wait()
		close(finished)
	}()
	patience := time.NewTimer(d)
	defer patience.Stop()
	select {
	case <-finished:
		return true
	case <-patience.C:
		return false
	}
}

// begin registers tasks and reads how long locks last. While the database is away, it waits.
func (w *Worker) begin(ctx context.Context) error {
	for _, name := range w.client.Names() {
		if w.client.task(name).run != nil && (w.config.Names == nil || slices.Contains(w.config.Names, name)) {
			w.names = append(w.names, name)
		}
	}
	switch {
	case len(w.names) == 0:
		return errors.New("tasklib: no task with a function is registered")
	case w.checkPool() != nil:
		return w.checkPool()
	case utf8.RuneCountInString(w.id) > maxWorkerID:
		return fmt.Errorf("tasklib: Config.WorkerID is longer than %d characters", maxWorkerID)
	}
	return w.insist(ctx, "registering tasks", pgerr.ToMend, func(ctx context.Context) error {
		if err := w.client.Sync(ctx); err != nil {
			return err
		}
		w.lock = w.client.config.Lease
		if w.lockArg != nil {
			return nil
		}
		value, err := w.functions.GetSetting(ctx, "lock_timeout_seconds")
		if err != nil {
			return err
		}
		w.lock, err = time.ParseDuration(value + "s")
		return err
	})
}

// insist repeats a call until it succeeds, fails with an error of this kind or a permanent error, or ctx ends. At the end of ctx it returns
// nil.
func (w *Worker) insist(ctx context.Context, what string, unless pgerr.Kind, call func(ctx context.Context) error) error {
	for delay := firstDelay; ; delay = min(2*delay, maxDelay) {
		err := w.within(ctx, callTimeout, what, call)
		switch {
		case err == nil || ctx.Err() != nil:
			return nil
		case pgerr.Of(err) >= unless:
			return err
		}
		w.watch.Pause(ctx, delay)
	}
}

// within makes a call within a bound, since a server that has vanished never answers. It logs a failure that is no judgement of the
// database. After a call without an answer it closes the idle connections of the pool, which may be dead, too.
func (w *Worker) within(ctx context.Context, bound time.Duration, what string, call func(ctx context.Context) error) error {
	if w.lock > 0 {
		bound = min(bound, max(w.lock/4, shortestCall))
	}
	calling, cancel := context.WithTimeout(ctx, bound)
	defer cancel()
	err := call(calling)
	switch {
	case err == nil:
		w.watch.Worked(what)
	case ctx.Err() == nil && pgerr.Of(err) != pgerr.Judged:
		w.noteAway(err)
		w.watch.Failed(what, err)
		if pgerr.TimedOut(err) && w.client.pool.Stat().IdleConns() > 0 {
			w.client.pool.Reset()
		}
	}
	return err
}

func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// signal wakes the receiver of c. One signal suffices for many events.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
