package relay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/listen"
	"github.com/pgtasker/pgtasker/internal/outage"
	"github.com/pgtasker/pgtasker/internal/pgerr"
	"github.com/pgtasker/pgtasker/messaging"
)

// Config has the targets of a relay, and its bounds. Its zero value delivers to queues of pgmq.
type Config struct {
	// Targets opens targets by their kind: "webhook" ([Webhook.Open]), "rabbitmq", or another name for "pgmq", which is
	// always there. Subscriptions of other kinds are left to other relays.
	Targets map[string]Open
	// Only names the subscriptions to deliver. Default: all.
	Only []string
	// Batch is how many events are delivered and acknowledged at a time. Default: 100. At most 1,000. While a target takes them
	// quickly and more are due, 1,000 are read at a time.
	Batch int32
	// PollInterval is the wait after a look that found nothing. Default: 250 ms.
	PollInterval time.Duration
	// ListInterval is how often the list of subscriptions is read. Default: 2 s.
	ListInterval time.Duration
	// Lease is how long other relays leave a subscription to this one after a look. One call of a webhook takes at most four fifths
	// of it: its time-out is shortened, with a warning, if it does not fit. Default: 30 s.
	Lease time.Duration
	// FirstRetry is the wait after a failed delivery, which doubles up to MaxRetry. Default: 1 s, 1 h.
	FirstRetry, MaxRetry time.Duration
	// MaxAttempts is how often an event is tried before it is given up and kept among the dead events. Default: 20.
	MaxAttempts int32
	// Steps opens the queues through which steps of namespaces with transport broker go to workers: the relay publishes
	// them (docs/howto/rabbitmq.md). Default: none, which leaves them to other relays.
	Steps messaging.Open
	// StepDepth is how many messages a lane's queue may have. Above it nothing more is published. Default: 1,000.
	StepDepth int
	// StepAgain is after how long a published step that no worker has claimed is sent again if its queue has fewer
	// messages than such steps, in whole seconds. Default: 1 min.
	StepAgain time.Duration
	// Logger gets failures. Default: slog.Default().
	Logger *slog.Logger

	within time.Duration // bounds a call; tests have less
}

func (c *Config) setDefaults() {
	if c.Batch <= 0 {
		c.Batch = 100
	}
	defaults := []struct {
		value *time.Duration
		is    time.Duration
	}{
		{&c.PollInterval, 250 * time.Millisecond},
		{&c.ListInterval, 2 * time.Second},
		{&c.Lease, 30 * time.Second},
		{&c.FirstRetry, time.Second},
		{&c.MaxRetry, time.Hour},
		{&c.StepAgain, time.Minute},
	}
	for _, d := range defaults {
		if *d.value <= 0 {
			*d.value = d.is
		}
	}
	if c.within <= 0 {
		c.within = min(max(c.Lease/3, shortestCall), longestCall)
	}
	if c.StepDepth <= 0 {
		c.StepDepth = 1000
	}
	if c.MaxAttempts <= 0 {
		c.MaxAttempts = 20
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
}

// Run delivers until ctx ends, and returns nil then, within ten seconds whatever the database does. It bears lost connections.
func Run(ctx context.Context, pool *pgxpool.Pool, config Config) error {
	config.setDefaults()
	r := &relay{
		config: config, pool: pool, sql: executor.New(pool), id: uuid.New(), running: map[string]*follower{},
		watch: outage.New(config.Logger.With("relay", "events")),
	}
	r.watch.NoPlace = func() {
		if l := r.listener.Load(); l != nil {
			l.GiveWay()
		}
	}
	defer r.stop()
	steps := &publishers{relay: r, running: map[string]*publisher{}}
	defer steps.stop()
	worked := false // A right that is revoked later may be granted again.
	for {
		_ = steps.follow(ctx) // The log has it.
		switch err := r.follow(ctx); {
		case err == nil:
			worked = true
		case errors.Is(err, executor.ErrForbidden) && !worked:
			return err
		}
		if r.watch.Pause(ctx, config.ListInterval); ctx.Err() != nil {
			return nil
		}
	}
}

type relay struct {
	config Config
	pool   *pgxpool.Pool
	sql    *executor.SqlFunctionExecutor
	id     uuid.UUID
	watch  *outage.Watch
	// listener is that of the publishers, nil before the first.
	listener atomic.Pointer[listen.Listener]
	running  map[string]*follower
	all      sync.WaitGroup
}

// follow has one goroutine for each subscription that this relay can deliver.
func (r *relay) follow(ctx context.Context) error {
	var list []gen.SubscriptionDetail
	err := r.call(ctx, "listing subscriptions", func(ctx context.Context) (err error) {
		list, err = r.sql.ListSubscriptions(ctx, "")
		return err
	})
	if err != nil {
		return err
	}
	wanted := map[string]gen.SubscriptionDetail{}
	for _, s := range list {
		if _, _, ok := r.open(s); ok {
			wanted[s.Subscription] = s
		}
	}
	for name, f := range r.running {
		s, ok := wanted[name]
		if ok && s.UpdatedAt.Equal(f.detail.UpdatedAt) && f.ctx.Err() == nil {
			delete(wanted, name)
			continue
		}
		// The subscription is gone, or it belongs to another target.
		f.cancel()
		<-f.done
		delete(r.running, name)
	}
	for name, s := range wanted {
		f := &follower{relay: r, detail: s, done: make(chan struct{})}
		f.ctx, f.cancel = context.WithCancel(ctx)
		r.running[name] = f
		r.all.Go(f.run)
	}
	return nil
}

// open finds how the target of a subscription is opened.
func (r *relay) open(s gen.SubscriptionDetail) (open Open, target json.RawMessage, ok bool) {
	if len(r.config.Only) > 0 {
		found := false
		for _, name := range r.config.Only {
			found = found || name == s.Subscription
		}
		if !found {
			return nil, nil, false
		}
	}
	var kinds map[string]json.RawMessage
	if s.Target == nil || json.Unmarshal(s.Target, &kinds) != nil || len(kinds) != 1 {
		return nil, nil, false
	}
	for kind, target := range kinds {
		if open, ok := r.config.Targets[kind]; ok {
			return open, target, true
		}
		if kind == "pgmq" {
			return openPgmq, target, true
		}
	}
	return nil, nil, false
}

func (r *relay) stop() {
	for _, f := range r.running {
		f.cancel()
	}
	r.all.Wait()
}

// follower delivers one subscription.
type follower struct {
	relay  *relay
	detail gen.SubscriptionDetail
	ctx    context.Context
	cancel context.CancelFunc
	done   chan struct{}
	target Target
	// ahead says that the last read had as many events as it asked for, and the target took them in time.
	ahead bool
}

// readAhead is how many events a relay reads at once while it is behind: a read costs as much as some dozens of events.
const readAhead = 1000

func (f *follower) run() {
	defer close(f.done)
	defer f.cancel()
	defer f.leave()
	if at := f.detail.NextAttemptAt; at != nil && !wait(f.ctx, f.until(*at)) {
		return
	}
	failed := firstPause
	for f.ctx.Err() == nil {
		n, pause, err := f.deliver(f.ctx)
		switch {
		case f.ctx.Err() != nil:
			return
		case errors.Is(err, executor.ErrNotFound):
			return
		case errors.Is(err, executor.ErrConflict):
			pause = max(f.relay.config.Lease/10, f.relay.config.PollInterval)
		case errors.Is(err, executor.ErrRetired):
			f.log("events are gone that it had not come to; replay it", err)
			pause = f.relay.config.Lease
		case errors.As(err, new(databaseError)):
			f.relay.watch.Pause(f.ctx, failed)
			failed = min(2*failed, longestPause)
			continue
		case err != nil:
			f.log("cannot deliver", err)
		case n > 0:
			failed = firstPause
			continue
		default:
			failed = firstPause
		}
		if !wait(f.ctx, max(pause, f.relay.config.PollInterval)) {
			return
		}
	}
}

// until is how long it is to a time of the server's clock, by that clock: the relay's own may be hours behind.
func (f *follower) until(at time.Time) time.Duration {
	var now time.Time
	err := f.relay.call(f.ctx, "reading the clock", func(ctx context.Context) (err error) {
		now, err = f.relay.sql.Clock(ctx)
		return err
	})
	if err != nil {
		return f.relay.config.FirstRetry
	}
	return at.Sub(now)
}

func (f *follower) log(what string, err error) {
	f.relay.config.Logger.WarnContext(f.ctx, "relay: "+what, "subscription", f.detail.Subscription, "error", err)
}

func (f *follower) leave() {
	if f.target != nil {
		_ = f.target.Close()
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(f.ctx), time.Second)
	defer cancel()
	_, _ = f.relay.sql.LeaveSubscription(ctx, f.detail.Subscription, f.relay.id)
}

// deliver reads, delivers and acknowledges once. It returns how many events it has dealt with, and how long to wait
// before the next attempt.
func (f *follower) deliver(ctx context.Context) (n int, pause time.Duration, err error) {
	config := f.relay.config
	most := config.Batch
	if f.ahead {
		most = max(most, readAhead)
	}
	f.ahead = false
	leased := time.Now()
	var events []executor.FeedEvent
	err = f.relay.call(ctx, "reading events", func(ctx context.Context) (err error) {
		events, err = f.relay.sql.ReadEvents(ctx, sqlfn.ReadEventsParams{
			Subscription: f.detail.Subscription, ReaderUUID: f.relay.id, Limit: most,
			LeaseSeconds: max(int32(config.Lease/time.Second), 1),
		})
		return err
	})
	if err != nil || len(events) == 0 {
		return 0, 0, err
	}
	n, err = f.handAll(ctx, leased, events)
	if err == nil || ctx.Err() != nil || errors.As(err, new(databaseError)) {
		f.ahead = err == nil && n == int(most)
		return n, 0, err
	}
	failures, pause, failErr := f.fail(ctx, err)
	if failErr != nil {
		return n, pause, errors.Join(err, failErr)
	}
	if permanent := new(permanentError); errors.As(err, permanent) || failures >= config.MaxAttempts {
		if buryErr := f.bury(ctx, events[n], err); buryErr != nil {
			return n, pause, errors.Join(err, buryErr)
		}
		f.log("event given up", fmt.Errorf("event %s: %w", events[n].EventUUID, err))
		return n + 1, 0, nil
	}
	return n, pause, err
}

// handAll hands over the events that were read, batch by batch, and stops early if the next batch might take too much of the lease: the next
// read renews it and returns the rest again.
func (f *follower) handAll(ctx context.Context, leased time.Time, events []executor.FeedEvent) (handed int, err error) {
	for batch := range slices.Chunk(events, int(f.relay.config.Batch)) {
		began := time.Now()
		n, err := f.hand(ctx, leased, batch)
		handed += n
		if err != nil {
			return handed, err
		}
		if ctx.Err() != nil || time.Since(leased)+time.Since(began) > f.relay.config.Lease/2 {
			break
		}
	}
	return handed, nil
}

// hand gives events to the target, and acknowledges the events that it took.
func (f *follower) hand(ctx context.Context, leased time.Time, events []executor.FeedEvent) (int, error) {
	if f.target == nil {
		open, raw, _ := f.relay.open(f.detail)
		target, err := open(ctx, f.detail.Subscription, raw)
		if err != nil {
			return 0, err
		}
		f.target = target
		if t, ok := target.(fits); ok {
			if wanted, given := t.fit(f.relay.config.Lease * 4 / 5); given < wanted {
				f.relay.config.Logger.WarnContext(ctx, "relay: the time-out of its calls is shortened to four fifths of the relay's lease",
					"subscription", f.detail.Subscription, "timeout", wanted, "shortened_to", given, "lease", f.relay.config.Lease)
			}
		}
	}
	if t, ok := f.target.(transactional); ok {
		err := f.relay.within(ctx, func(ctx context.Context) error {
			return pgx.BeginFunc(ctx, f.relay.pool, func(tx pgx.Tx) error {
				if err := f.acknowledge(ctx, executor.New(tx), events); err != nil {
					return err
				}
				return t.deliverIn(ctx, tx, events)
			})
		})
		switch what := "sending events to a queue"; {
		case err == nil:
			f.relay.watch.Worked(what)
			return len(events), nil
		case pgerr.Of(err) == pgerr.Passing && !errors.Is(err, executor.ErrConflict) && !errors.Is(err, messaging.ErrInvalid) && ctx.Err() == nil:
			err = f.relay.failed(what, err)
		}
		return 0, err
	}
	// A delivery that takes longer than the lease would be made by two relays at once.
	limited, cancel := context.WithDeadline(ctx, leased.Add(f.relay.config.Lease*9/10))
	defer cancel()
	n, err := f.target.Deliver(limited, events)
	if n > 0 {
		if ackErr := f.owe(ctx, events[:n]); ackErr != nil {
			return 0, errors.Join(err, ackErr)
		}
	}
	switch ended := limited.Err() != nil && ctx.Err() == nil; {
	case errors.Is(err, errLeaseEnds), ended && n > 0:
		return n, nil // the next read renews the lease and returns the rest
	case ended && err != nil:
		return 0, fmt.Errorf("it took nothing within %s, nine tenths of the relay's lease: %w", f.relay.config.Lease*9/10, err)
	}
	return n, err
}

// errLeaseEnds says that a target left the rest of the events to the next lease. No call has failed.
var errLeaseEnds = errors.New("the relay's lease has no time left for a call")

// fits is a target whose calls have a time-out of their own.
type fits interface {
	// fit shortens it to most, and returns the former and the present time-out.
	fit(most time.Duration) (was, is time.Duration)
}

func (f *follower) acknowledge(ctx context.Context, sql *executor.SqlFunctionExecutor, events []executor.FeedEvent) error {
	ok, err := sql.AcknowledgeEvents(ctx, sqlfn.AcknowledgeEventsParams{
		Subscription: f.detail.Subscription, ReaderUUID: f.relay.id, Place: events[len(events)-1].Place, Events: int32(len(events)),
	})
	if err == nil && !ok {
		return fmt.Errorf("%w: the subscription was replayed, or is another relay's", executor.ErrConflict)
	}
	return err
}

func (f *follower) fail(ctx context.Context, cause error) (failures int32, pause time.Duration, err error) {
	config := f.relay.config
	pause = config.FirstRetry
	err = f.relay.call(ctx, "keeping a failed delivery", func(ctx context.Context) error {
		list, err := f.relay.sql.ListSubscriptions(ctx, f.detail.Subscription)
		if err != nil || len(list) != 1 {
			return err
		}
		pause = backoff(config.FirstRetry, config.MaxRetry, list[0].Failures)
		failures, err = f.relay.sql.FailDelivery(ctx, sqlfn.FailDeliveryParams{
			Subscription: f.detail.Subscription, ReaderUUID: f.relay.id, Error: told(cause),
			RetrySeconds: min(pause.Seconds(), 86400),
		})
		return err
	})
	return failures, pause, err
}

func (f *follower) bury(ctx context.Context, event executor.FeedEvent, cause error) error {
	body, err := bodyOf(event)
	if err != nil {
		return err
	}
	return f.relay.call(ctx, "keeping a dead event", func(ctx context.Context) error {
		_, err := f.relay.sql.BuryEvent(ctx, sqlfn.BuryEventParams{
			Subscription: f.detail.Subscription, ReaderUUID: f.relay.id, Place: event.Place, EventUUID: event.EventUUID,
			Event: body, Error: told(cause),
		})
		return err
	})
}

// backoff doubles the wait with each failure.
func backoff(first, longest time.Duration, failures int32) time.Duration {
	for range failures {
		first *= 2
		if first >= longest {
			return longest
		}
	}
	return min(first, longest)
}

// shorten cuts an error to the length that the database keeps, and to valid text.
func shorten(message string) string {
	out := []rune(message)
	if len(out) > 2000 {
		out = out[:2000]
	}
	for i, c := range out {
		if c == 0 {
			out[i] = ' '
		}
	}
	return string(out)
}

// wait waits, and returns false if ctx has ended.
func wait(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
