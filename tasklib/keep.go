package tasklib

import (
	"context"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/tasklib/gen"
)

// keepLocks extends the locks of what is held, a third of their time before they would end, and ends the
// contexts of tasks that are held no longer: they were cancelled, or another worker has them.
func (w *Worker) keepLocks(ctx context.Context) {
	for {
		pause(ctx, max(w.lock/3, 100*time.Millisecond))
		if ctx.Err() != nil {
			return
		}
		ids, claimNos := w.expiring()
		for from := 0; from < len(ids); from += maxBatch {
			to := min(from+maxBatch, len(ids))
			var outcomes []gen.TaskOutcome
			if err := within(ctx, func(ctx context.Context) (err error) {
				outcomes, err = w.functions.ExtendLocks(ctx, gen.ExtendLocksParams{
					WorkerID: w.id, Ids: ids[from:to], ClaimNos: claimNos[from:to], LockSeconds: w.lockArg,
				})
				return err
			}); err != nil {
				// The next turn comes before the locks end.
				w.logger.WarnContext(ctx, "locks could not be extended", "count", to-from, "error", err)
				continue
			}
			for _, o := range outcomes {
				if o.Outcome == "stale" {
					w.cancelTask(o.ID, claimNos[from+int(o.Position)-1], ErrLost)
				}
			}
		}
	}
}

// expiring returns what is held, but for functions that have ignored the end of their context for as long
// as a stopping worker would wait: they may never return, and their tasks go to other workers.
func (w *Worker) expiring() (ids []uuid.UUID, claimNos []int32) {
	now := time.Now()
	w.mu.Lock()
	defer w.mu.Unlock()
	for id, h := range w.held {
		if h.deadline.IsZero() || now.Before(h.deadline) {
			ids, claimNos = append(ids, id), append(claimNos, h.task.ClaimNo)
		}
	}
	return ids, claimNos
}

// keepHouse submits the tasks of due schedules, and deletes expired tasks.
func (w *Worker) keepHouse(ctx context.Context) {
	var purged time.Time
	for ctx.Err() == nil {
		var fired int32
		err := within(ctx, func(ctx context.Context) (err error) {
			fired, err = w.functions.FireSchedules(ctx, maxBatch)
			return err
		})
		if err == nil && time.Since(purged) >= purgeEvery {
			err = within(ctx, func(ctx context.Context) error {
				n, err := w.functions.PurgeExpired(ctx, maxBatch)
				if n < maxBatch { // else there is more, and the next turn comes soon
					purged = time.Now()
				}
				return err
			})
		}
		if err != nil && ctx.Err() == nil {
			w.logger.WarnContext(ctx, "housekeeping failed", "error", err)
			pause(ctx, maxDelay)
		}
		if fired < maxBatch {
			pause(ctx, housekeepingEvery)
		}
	}
}
