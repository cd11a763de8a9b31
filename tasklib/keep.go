package tasklib

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgtasker/pgtasker/internal/listen"
	"github.com/pgtasker/pgtasker/internal/pgerr"
	"github.com/pgtasker/pgtasker/tasklib/gen"
)

const (
	renewing   = "extending locks"
	noPlaceFor = 30 * time.Second
)

// keepLocks extends the locks of held and owed tasks, on a separate connection, when a third of their time is left. It ends the contexts of
// tasks that the worker no longer holds, because they were cancelled or another worker holds them.
func (w *Worker) keepLocks(ctx context.Context) {
	k := keeper{Worker: w}
	defer k.hangUp()
	for {
		w.watch.Pause(ctx, max(w.lock/6, 100*time.Millisecond))
		if ctx.Err() != nil {
			return
		}
		ids, claimNos := w.expiring(time.Now().Add(-w.lock / 4))
		if len(ids) == 0 && time.Since(k.used) > w.lock || k.hasNoPlace() {
			k.hangUp()
		}
		for from := 0; from < len(ids); from += maxBatch {
			to := min(from+maxBatch, len(ids))
			k.extend(ctx, ids[from:to], claimNos[from:to])
		}
	}
}

// keeper extends locks.
type keeper struct {
	*Worker
	conn *pgx.Conn // nil if no connection is open
	used time.Time
	late bool
}

// extend extends locks. After a failure it tries once more, on a new connection. If the database refuses the call, it extends the locks in
// halves.
func (k *keeper) extend(ctx context.Context, ids []uuid.UUID, claimNos []int32) {
	had := k.conn != nil
	err := k.try(ctx, ids, claimNos)
	if err != nil && had && pgerr.Of(err) == pgerr.Passing && ctx.Err() == nil {
		err = k.try(ctx, ids, claimNos)
	}
	switch {
	case ctx.Err() != nil:
	case err == nil:
		k.late = false
		k.watch.Worked(renewing)
	case len(ids) > 1 && pgerr.ConcernsSome(err):
		k.extend(ctx, ids[:len(ids)/2], claimNos[:len(ids)/2])
		k.extend(ctx, ids[len(ids)/2:], claimNos[len(ids)/2:])
	default:
		k.noteAway(err)
		k.watch.Failed(renewing, err, "count", len(ids))
		if !k.late && k.oldest() > k.lock/2 {
			k.late = true
			stat := k.client.pool.Stat()
			k.logger.Warn("locks are late: half of one has passed without an extension; other workers take the tasks when it ends",
				"count", len(ids), "lock", k.lock, "error", err,
				"pool", fmt.Sprintf("%d of %d connections are in use", stat.AcquiredConns(), stat.MaxConns()))
		}
	}
}

// try makes one call, within its share of the lock. If the login may open no further connection, it uses the pool.
func (k *keeper) try(ctx context.Context, ids []uuid.UUID, claimNos []int32) (err error) {
	ctx, cancel := context.WithTimeout(ctx, max(250*time.Millisecond, min(k.lock/8, 10*time.Second)))
	defer cancel()
	functions := k.functions
	if k.conn == nil && !k.hasNoPlace() {
		k.conn, err = listen.ConnectLike(k.client.pool)(ctx)
		var full *pgconn.PgError
		if err != nil && (!errors.As(err, &full) || !strings.HasPrefix(full.Code, "53")) {
			return err
		}
	}
	if k.conn != nil {
		functions = NewFunctions(k.conn)
	}
	k.used = time.Now()
	params := gen.ExtendLocksParams{WorkerID: k.id, Ids: ids, ClaimNos: claimNos, LockSeconds: k.lockArg}
	outcomes, err := functions.ExtendLocks(ctx, params)
	if listen.NoPlace(err) {
		if conn, _ := listen.Free(ctx, k.client.pool); conn != nil {
			outcomes, err = NewFunctions(conn).ExtendLocks(ctx, params)
			conn.Release()
		}
	}
	if err != nil {
		k.hangUp()
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, o := range outcomes {
		h := k.held[o.ID]
		switch {
		case h == nil || h.task.ClaimNo != claimNos[o.Position-1]:
		case o.Outcome == "stale":
			h.cancel(errLost)
		default:
			h.renewed = k.used
			h.end.Reset(k.lock)
		}
	}
	return nil
}

func (k *keeper) hangUp() {
	if k.conn != nil {
		ctx, cancel := context.WithTimeout(context.Background(), 250*time.Millisecond)
		defer cancel()
		_ = k.conn.Close(ctx)
		k.conn = nil
	}
}

// hasNoPlace reports whether the login lately had no connection left for work: extensions then use the pool.
func (w *Worker) hasNoPlace() bool {
	return time.Since(time.Unix(0, w.short.Load())) < max(w.lock, noPlaceFor)
}

// oldest returns the time since the oldest extension of all locks.
func (w *Worker) oldest() (longest time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, h := range w.held {
		longest = max(longest, time.Since(h.renewed))
	}
	return longest
}

// errLockEnded is an errLost that this process has concluded itself: the database has not reported the loss.
var errLockEnded = fmt.Errorf("%w: its lock could not be extended in time", errLost)

// lockEnded ends the context of a task whose lock has ended. After an absence of the server, locks last longer by that time, and the next
// extension decides.
func (w *Worker) lockEnded(h *held) {
	if left := time.Until(time.Unix(0, w.away.Load()).Add(w.lock)); left > 0 {
		h.end.Reset(left)
		return
	}
	w.logger.Warn("a lock has ended without an extension; the function's context ends", "task", h.task.ID, "name", h.task.Name)
	h.cancel(errLockEnded)
}

// noteAway notes that the server itself was away.
func (w *Worker) noteAway(err error) {
	if pgerr.Away(err) {
		w.away.Store(time.Now().UnixNano())
	}
}

// expiring returns the owed tasks, and the held tasks that were extended before t, except functions that have ignored the end of their
// context for as long as a stopping worker would wait: they may never return, and their tasks go to other workers. A task has one claim in
// the list. If the report of an earlier claim is owed, it is the claim of the present run.
func (w *Worker) expiring(t time.Time) (ids []uuid.UUID, claimNos []int32) {
	now := time.Now()
	owed := w.outbox.owed()
	w.mu.Lock()
	for id, h := range w.held {
		if owed[id] == h.task.ClaimNo {
			continue // The task has run.
		}
		delete(owed, id)
		if h.renewed.Before(t) && (h.deadline.IsZero() || now.Before(h.deadline)) {
			ids, claimNos = append(ids, id), append(claimNos, h.task.ClaimNo)
		}
	}
	w.mu.Unlock()
	for id, claimNo := range owed {
		ids, claimNos = append(ids, id), append(claimNos, claimNo)
	}
	return ids, claimNos
}

const housekeeping = "housekeeping"

// keepHouse submits the tasks of due schedules, and deletes expired tasks.
func (w *Worker) keepHouse(ctx context.Context) {
	var purged time.Time
	for ctx.Err() == nil {
		var fired int32
		err := w.within(ctx, callTimeout, housekeeping, func(ctx context.Context) (err error) {
			fired, err = w.functions.FireSchedules(ctx, maxBatch)
			return err
		})
		if err == nil && time.Since(purged) >= purgeEvery {
			err = w.within(ctx, callTimeout, housekeeping, func(ctx context.Context) error {
				n, err := w.functions.PurgeExpired(ctx, maxBatch)
				if n < maxBatch { // otherwise more are due, and the next turn comes soon
					purged = time.Now()
				}
				return err
			})
		}
		if err != nil && ctx.Err() == nil {
			if pgerr.Of(err) == pgerr.Judged {
				w.watch.Failed(housekeeping, err)
			}
			pause(ctx, maxDelay)
		}
		if fired < maxBatch {
			pause(ctx, housekeepingEvery)
		}
	}
}
