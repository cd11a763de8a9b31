package executor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/internal/outage"
	"github.com/pgtasker/pgtasker/internal/pgerr"

	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

// FeedFilter says which events a subscription gets. An event must match an element of each list. An empty list matches all events.
type FeedFilter struct {
	Namespaces []string `json:"namespaces,omitempty"`
	// Templates are names of task templates.
	Templates []string `json:"templates,omitempty"`
	// Kinds are "task" and "step".
	Kinds []string `json:"kinds,omitempty"`
	// Events are names of events, such as "Create" (docs/states.md). A task has other events than a step.
	Events []string `json:"events,omitempty"`
	// ToStates are the states after the transition. A task ends in "complete", "error", "cancelled" or "resolved_manually".
	ToStates []string `json:"to_states,omitempty"`
}

// SubscribeConfig says how [Feed.Consume] reads a subscription.
type SubscribeConfig struct {
	// Subscription is the name of the subscription.
	Subscription string
	// Filter is the filter of the subscription. Consume creates a missing subscription with this filter, and changes the filter of an
	// existing subscription, which needs the role of an operator. Default: the subscription must exist.
	Filter *FeedFilter
	// Since is the time of the first event of a subscription that Consume creates. Default: now.
	Since time.Time
	// Batch is how many events a call of handle gets at most. Default: 100. Maximum: 1,000. A read of the database returns up to 1,000
	// events.
	Batch int32
	// PollInterval is how long Consume waits after a read that returned no events. Default: 250 ms.
	PollInterval time.Duration
	// Lease is how long a read keeps other processes from reading the subscription. A call of handle should take less than half of this
	// time. Default: 30 s.
	Lease time.Duration
	// Logger logs lost connections. Default: slog.Default().
	Logger *slog.Logger

	within time.Duration // bounds the time of a query, so that a server that no longer answers does not block the query forever
}

func (c *SubscribeConfig) setDefaults() {
	if c.Batch <= 0 {
		c.Batch = 100
	}
	if c.PollInterval <= 0 {
		c.PollInterval = 250 * time.Millisecond
	}
	if c.Lease <= 0 {
		c.Lease = 30 * time.Second
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	if c.within <= 0 {
		c.within = callWithin
	}
}

// subscribe calls handle with the events of a subscription, batch by batch. It returns nil when ctx ends. If handle returns nil, the batch
// is acknowledged. Batches that are handled within a second are acknowledged together. If handle returns an error, subscribe returns that
// error. The next call, in this process or in another, gets the batch again. So every event is handled at least once. A repeated event has
// the same EventUUID.
//
// While another process reads the subscription, subscribe waits for its turn. It polls, because commits send no notification for the feed.
// If db is a pool, subscribe survives an outage of the database, also at its start. The error is ErrRetired if unread events have been
// dropped. ReplayEvents then sets the subscription to a time from which it can continue.
func subscribe(
	ctx context.Context, db DBTX, config SubscribeConfig, handle func(ctx context.Context, events []FeedEvent) error,
) error {
	config.setDefaults()
	e := New(db)
	watch := outage.New(config.Logger.With("subscription", config.Subscription))
	subscribed := config.Filter == nil
	reader := uuid.New()
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_, _ = e.LeaveSubscription(ctx, config.Subscription, reader)
	}()
	for ctx.Err() == nil {
		var n int
		var err error
		if !subscribed {
			err = e.ensureSubscription(ctx, config)
			subscribed = err == nil
		}
		if subscribed {
			n, err = e.handleEvents(ctx, config, reader, handle)
		}
		var failed handlerError
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.As(err, &failed):
			return failed.error
		case subscribed && errors.Is(err, ErrConflict): // Another process reads.
		case pgerr.Of(err) != pgerr.Passing:
			return err
		case err != nil:
			watch.Failed(readingEvents, err)
		default:
			watch.Worked(readingEvents)
			if n > 0 {
				continue
			}
		}
		select {
		case <-ctx.Done():
		case <-time.After(config.PollInterval):
		}
	}
	return nil
}

const readingEvents = "reading events"

// handlerError is an error of the user's function. All other errors are errors of the database.
type handlerError struct{ error }

func (e *SqlFunctionExecutor) ensureSubscription(ctx context.Context, config SubscribeConfig) error {
	filter, err := json.Marshal(config.Filter)
	if err != nil {
		return fmt.Errorf("filter: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, config.within)
	defer cancel()
	_, err = e.Subscribe(ctx, sqlfn.SubscribeParams{Subscription: config.Subscription, Filter: filter, Since: config.Since})
	return err
}

func (e *SqlFunctionExecutor) handleEvents(
	ctx context.Context, config SubscribeConfig, reader uuid.UUID, handle func(ctx context.Context, events []FeedEvent) error,
) (int, error) {
	leased := time.Now()
	asking, cancel := context.WithTimeout(ctx, config.within)
	defer cancel()
	events, err := e.ReadEvents(asking, sqlfn.ReadEventsParams{
		Subscription: config.Subscription, ReaderUUID: reader, Limit: max(config.Batch, readAhead),
		LeaseSeconds: max(int32(config.Lease/time.Second), 1),
	})
	if err != nil {
		return 0, err
	}
	handled, acknowledged, last := 0, 0, leased
	acknowledge := func(ctx context.Context) (bool, error) {
		if handled == acknowledged {
			return true, nil
		}
		ctx, cancel := context.WithTimeout(ctx, config.within)
		defer cancel()
		ok, err := e.AcknowledgeEvents(ctx, sqlfn.AcknowledgeEventsParams{
			Subscription: config.Subscription, ReaderUUID: reader, Place: events[handled-1].Place, Events: int32(handled - acknowledged),
		})
		acknowledged, last = handled, time.Now()
		return ok, err
	}
	for batch := range slices.Chunk(events, int(config.Batch)) {
		// The next read renews the lease and returns the remaining events again.
		if handled > 0 && (ctx.Err() != nil || time.Since(leased) > config.Lease/2) {
			break
		}
		if time.Since(last) > acknowledgeAfter {
			if ok, err := acknowledge(ctx); err != nil || !ok { // The subscription was replayed.
				return handled, err
			}
		}
		if err = handle(ctx, batch); err != nil {
			err = handlerError{err}
			break
		}
		handled += len(batch)
	}
	// Acknowledge handled events also after ctx has ended, so that they do not come again.
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), acknowledgeWithin)
	defer cancel()
	if _, lateErr := acknowledge(late); err == nil {
		err = lateErr
	}
	return handled, err
}

const (
	// acknowledgeAfter is how long handled events may wait to be acknowledged together with the next events.
	acknowledgeAfter  = time.Second
	acknowledgeWithin = 5 * time.Second
)

// readAhead is how many events a read returns at least if there are enough. A read costs as much as some dozens of events.
const readAhead = 1000
