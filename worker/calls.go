package worker

import (
	"context"
	"time"

	"github.com/pgtasker/pgtasker/internal/pgerr"
)

const (
	// callWithin bounds one call, so that a hanging call does not hang the worker.
	callWithin = 30 * time.Second
	// shortestCall bounds an exchange of a worker with a short lease.
	shortestCall = 5 * time.Second
	firstRetry   = 20 * time.Millisecond
	maxRetry     = 2 * time.Second
	// mendEvery is the pause before the worker repeats a call that can succeed only after a person has changed something.
	mendEvery = 2 * time.Second
)

// persist repeats a call until the call succeeds, and then returns nil. It returns an error if ctx ends, or if the database has refused the
// call itself, so that each repetition would fail.
func (r *run) persist(ctx context.Context, what string, call func(ctx context.Context) error) error {
	return r.persistUnless(pgerr.Judged, ctx, what, call)
}

// persistUnless repeats a call as persist does, but also returns an error of the given kind.
func (r *run) persistUnless(kind pgerr.Kind, ctx context.Context, what string, call func(ctx context.Context) error) error {
	for wait := firstRetry; ; wait = min(2*wait, maxRetry) {
		err := r.once(ctx, what, call)
		if err == nil || pgerr.Of(err) >= kind {
			return err
		}
		if pgerr.Of(err) == pgerr.ToMend {
			wait = mendEvery
		}
		if ctx.Err() == nil {
			r.watch.Pause(ctx, jittered(wait))
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
}

// once makes one call, with a time limit. It logs a failure unless the database has refused the call. The caller repeats a failed call, at
// once or later.
func (r *run) once(ctx context.Context, what string, call func(ctx context.Context) error) error {
	return r.within(ctx, callWithin, what, call)
}

func (r *run) within(ctx context.Context, bound time.Duration, what string, call func(ctx context.Context) error) error {
	calling, cancel := context.WithTimeout(ctx, bound)
	defer cancel()
	err := call(calling)
	switch {
	case err == nil:
		r.watch.Worked(what)
	case ctx.Err() == nil && pgerr.Of(err) != pgerr.Judged:
		r.noteAway(err)
		r.distrust(err)
		if pgerr.TimedOut(err) {
			r.watch.Failed(what, err, r.poolInWords())
			break
		}
		r.watch.Failed(what, err)
	}
	return err
}

// distrust closes the idle connections of the pool after a call got no answer: these connections may be dead, too, and each dead connection
// would delay a call for the same time.
func (r *run) distrust(err error) {
	if r.pool != nil && pgerr.TimedOut(err) && r.pool.Stat().IdleConns() > 0 {
		r.pool.Reset()
	}
}

// noteAway stores the present time if the error says that the server itself was away.
func (r *run) noteAway(err error) {
	if pgerr.Away(err) {
		r.away.Store(time.Now().UnixNano())
	}
}

// awayUntil returns the last time at which the server was away.
func (r *run) awayUntil() time.Time { return time.Unix(0, r.away.Load()) }
