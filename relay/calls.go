package relay

import (
	"context"
	"errors"
	"time"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgerr"
)

const (
	// longestCall and shortestCall bound a call of the database or of a queue, so that a server that has vanished does not hold a
	// relay for ever: a third of its lease, within these bounds.
	longestCall  = 30 * time.Second
	shortestCall = 5 * time.Second

	firstPause   = 50 * time.Millisecond
	longestPause = 2 * time.Second
	// deliveredWithin is how long a relay that stops tries to acknowledge events that a target took.
	deliveredWithin = 5 * time.Second
)

// within makes a call within a bound.
func (r *relay) within(ctx context.Context, call func(ctx context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, r.config.within)
	defer cancel()
	return call(ctx)
}

// databaseError is an error of a call of the database, which the log has.
type databaseError struct{ error }

func (e databaseError) Unwrap() error { return e.error }

// call makes a call of the database. The log says if it fails and is not judged.
func (r *relay) call(ctx context.Context, what string, call func(ctx context.Context) error) error {
	err := r.within(ctx, call)
	switch {
	case err == nil, errors.Is(err, executor.ErrConflict):
		r.watch.Worked(what)
	case ctx.Err() == nil && pgerr.Of(err) != pgerr.Judged:
		return r.failed(what, err)
	}
	return err
}

// failed notes that a call was not judged. After a call without an answer, idle connections of the pool are closed: they may lead
// nowhere, too.
func (r *relay) failed(what string, err error) error {
	r.watch.Failed(what, err)
	if pgerr.TimedOut(err) && r.pool.Stat().IdleConns() > 0 {
		r.pool.Reset()
	}
	return databaseError{err}
}

// owe acknowledges the events that a target took until the database has judged that: the next read would return them again. A relay
// that stops tries for a while.
func (f *follower) owe(ctx context.Context, events []executor.FeedEvent) error {
	acknowledging, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(deliveredWithin, cancel) })()
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		err := f.relay.call(acknowledging, "acknowledging events", func(ctx context.Context) error {
			return f.acknowledge(ctx, f.relay.sql, events)
		})
		if err == nil || errors.Is(err, executor.ErrConflict) || pgerr.Of(err) == pgerr.Judged || acknowledging.Err() != nil {
			return err
		}
		f.relay.watch.Pause(acknowledging, pause)
	}
}
