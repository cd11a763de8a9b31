package orchestrator

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/queuewake"
	"github.com/pgtasker/pgtasker/internal/sqlsteps"
)

// Source is the reason why the loop calls orchestrate().
type Source string

// The sources. Start is the reason of the first call, and of the call after a lost connection.
const (
	Start    Source = "start"
	Event    Source = "event"
	Due      Source = "due"
	Fallback Source = "fallback"
)

// Config configures the loop. Its zero value is valid.
type Config struct {
	// Poll is how long the loop waits for an event at most. Default: the setting fallback_poll_seconds.
	Poll time.Duration
	// NoPoll switches the fallback off. Default: false.
	NoPoll bool
	// NoListen switches LISTEN off, for poolers in transaction mode. Default: false.
	NoListen bool
	// Limit is how many items of each kind one call handles at most. Default: 100.
	Limit int32
	// Maintenance is how often the loop checks which duties of tasker.run_maintenance() are due. Default: 10 seconds.
	Maintenance time.Duration
	// Logger gets the findings and the errors. Default: slog.Default().
	Logger *slog.Logger
	// Observe is called with the findings of each round. Default: none.
	Observe func(Source, gen.OrchestrationReport)
}

const (
	unlimited     = 365 * 24 * time.Hour // long enough to be never
	shortestPause = 100 * time.Millisecond
	longestPause  = 5 * time.Second
	finishWithin  = 10 * time.Second
)

func (c *Config) setDefaults(ctx context.Context, e *direct.Executor) error {
	if c.Limit <= 0 {
		c.Limit = 100
	}
	if c.Maintenance <= 0 {
		c.Maintenance = 10 * time.Second
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	if c.Observe == nil {
		c.Observe = func(Source, gen.OrchestrationReport) {}
	}
	if c.NoPoll {
		c.Poll = unlimited
	}
	if c.Poll > 0 {
		return nil
	}
	value, err := e.GetSetting(ctx, "fallback_poll_seconds")
	if err != nil {
		return err
	}
	c.Poll, err = time.ParseDuration(value + "s")
	return err
}

// pollName returns how often the fallback polls, for a log.
func (c *Config) pollName() string {
	if c.NoPoll {
		return "never"
	}
	return c.Poll.String()
}

// grace is how long SQL steps may continue after ctx has ended.
const grace = 20 * time.Second

// Run orchestrates until ctx ends. It finishes its current work first. It returns the counts of its findings, and an error only
// if it could not begin. It logs later errors and tries again.
func Run(ctx context.Context, pool *pgxpool.Pool, config Config) (Counts, error) {
	e := direct.New(pool)
	if err := config.setDefaults(ctx, e); err != nil {
		return nil, err
	}
	namespace, err := e.ExtractQueueNamespace(ctx, "orchestration_task_requests")
	if err != nil {
		return nil, err
	}
	l := &loop{executor: e, processor: uuid.New(), config: config, counts: Counts{}, giveWay: make(chan struct{}, 1)}
	if _, err := l.once(ctx, Start); err != nil {
		return nil, err
	}

	config.Logger.InfoContext(ctx, "orchestrating", "processor", l.processor, "listens", !config.NoListen, "polls_every", config.pollName())

	// Each channel has room for one announcement. A further announcement would add nothing while the first one waits.
	events, polls := make(chan Source, 1), make(chan Source, 1)
	listening := make(chan error, 1)
	go func() {
		listening <- queuewake.Listen(ctx,
			func(ctx context.Context) (*pgx.Conn, error) { return pgx.ConnectConfig(ctx, pool.Config().ConnConfig) },
			queuewake.ListenConfig{
				Namespaces: []string{namespace}, PollInterval: config.Poll, PollOnly: config.NoListen, Logger: config.Logger,
				GiveWay: l.giveWay,
			},
			func(_ context.Context, wake queuewake.Wake) { announce(events, polls, wake.Reason) },
		)
	}()
	// A running call ends by itself, or is cancelled some time after ctx has ended.
	calls, abandon := context.WithCancel(context.WithoutCancel(ctx))
	defer abandon()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(grace, abandon) })()
	var steps sync.WaitGroup
	steps.Go(func() { (&sqlsteps.Driver{DB: pool, Logger: config.Logger}).Run(ctx, calls) })
	l.run(ctx, events, polls)
	steps.Wait()
	return l.counts, <-listening
}

// announce passes a wake-up on, unless a wake-up of the same kind is already waiting.
func announce(events, polls chan<- Source, reason queuewake.WakeReason) {
	to, source := events, Event
	switch reason {
	case queuewake.WakePolled:
		to, source = polls, Fallback
	case queuewake.WakeConnected:
		source = Start
	}
	select {
	case to <- source:
	default:
	}
}

// loop is one run.
type loop struct {
	executor  *direct.Executor
	processor uuid.UUID // the UUID of this loop in the logs
	config    Config
	counts    Counts
	giveWay   chan struct{} // makes the listener give up its connection
	pause     time.Duration // before the next call, if due work cannot be done here or after an error
}

func (l *loop) run(ctx context.Context, events, polls <-chan Source) {
	var maintenance sync.WaitGroup
	maintenance.Go(func() { l.keepMaintained(ctx) })
	defer maintenance.Wait()
	source := Start
	for ctx.Err() == nil {
		next := time.NewTimer(l.look(ctx, source))
		for source = ""; source == "" && ctx.Err() == nil; {
			select {
			case <-ctx.Done():
			case source = <-events:
			case source = <-polls:
			case <-next.C:
				source = Due
			}
		}
		next.Stop()
	}
}

// look orchestrates until nothing is found, and returns the time until the next work is due.
func (l *loop) look(ctx context.Context, source Source) time.Duration {
	report, err := l.once(ctx, source)
	if err == nil && source != Due {
		l.pause = 0
	}
	if err != nil {
		if ctx.Err() == nil {
			l.config.Logger.ErrorContext(ctx, "orchestrating failed", "error", err, "source", source)
			if refused := new(pgconn.PgError); errors.As(err, &refused) && refused.Code == "53300" {
				select {
				case l.giveWay <- struct{}{}:
				default:
				}
			}
		}
		return l.longer()
	}
	if report.NextDueAt == nil {
		return unlimited
	}
	now, err := l.executor.Clock(ctx)
	if err != nil {
		return l.longer()
	}
	if ahead := report.NextDueAt.Sub(now); ahead > 0 {
		l.pause = 0
		return ahead
	}
	// Something is due that the orchestrator cannot do: a ready step waits for a worker, or another session holds the work.
	return l.longer()
}

func (l *loop) longer() time.Duration {
	l.pause = min(max(2*l.pause, shortestPause), longestPause)
	return l.pause
}

// once calls orchestrate() until it finds nothing, and returns the last report. A call that has begun is
// finished even if ctx ends.
func (l *loop) once(ctx context.Context, source Source) (gen.OrchestrationReport, error) {
	for {
		finish, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishWithin)
		report, err := l.executor.OrchestrateAs(finish, l.config.Limit, l.processor)
		cancel()
		if err != nil {
			return report, err
		}
		found := l.counts.add(source, report)
		l.config.Observe(source, report)
		if found == 0 || ctx.Err() != nil {
			return report, nil
		}
		l.config.Logger.InfoContext(ctx, "orchestrated", append([]any{"source", source}, attributes(report)...)...)
		l.pause = 0
	}
}

// keepMaintained checks regularly which duties are due, and does them. It runs concurrently with the loop, because a duty may
// take a while.
func (l *loop) keepMaintained(ctx context.Context) {
	due := time.NewTicker(l.config.Maintenance)
	defer due.Stop()
	for ctx.Err() == nil {
		l.maintain(ctx)
		select {
		case <-ctx.Done():
		case <-due.C:
		}
	}
}

// maintain does the duties that are due, each in a separate transaction. An interrupted duty is rolled back and stays due.
func (l *loop) maintain(ctx context.Context) {
	for ctx.Err() == nil {
		duty, ran, err := l.executor.RunMaintenance(ctx, "")
		switch {
		case err != nil:
			if ctx.Err() == nil {
				l.config.Logger.ErrorContext(ctx, "maintenance failed", "error", err)
			}
			return
		case !ran:
			return
		case duty.LastError != nil:
			l.config.Logger.ErrorContext(ctx, "maintenance failed", "duty", duty.Duty, "error", *duty.LastError)
		case duty.LastDone != nil && *duty.LastDone > 0, duty.LastDetail != nil:
			l.config.Logger.InfoContext(ctx, "maintained", "duty", duty.Duty, "done", valueOf(duty.LastDone), "detail", valueOf(duty.LastDetail))
		default:
			l.config.Logger.DebugContext(ctx, "maintained", "duty", duty.Duty)
		}
	}
}

// valueOf returns the value behind a pointer, or the zero value for nil.
func valueOf[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}
