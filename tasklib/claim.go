package tasklib

import (
	"context"
	"math"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/internal/pgerr"
	"github.com/pgtasker/pgtasker/tasklib/gen"
)

const claiming = "claiming tasks"

// claimAll claims for free places until ctx ends.
func (w *Worker) claimAll(ctx, last context.Context) {
	asking, asked := outlive(ctx, last, idleWithin)
	defer asked()
	poll := time.NewTimer(0)
	defer poll.Stop()
	capacity := w.config.Concurrency + w.config.Prefetch
	again := time.NewTimer(time.Hour) // when a limit lets further tasks through
	defer again.Stop()
	delay := firstDelay
	more := false     // there may be tasks to claim
	gathered := false // the worker has waited for more places
	for ctx.Err() == nil {
		free := capacity - w.heldCount()
		if !more || free <= 0 || !w.outbox.mayClaim() {
			select {
			case <-ctx.Done():
			case <-w.wake:
				more = true
			case <-poll.C:
				more = true
			case <-again.C:
				more = true
			case <-w.freed:
			}
			continue
		}
		// Few large claims cost less than many small claims, so wait a moment for more free places.
		if !gathered && free < min(capacity/4, maxBatch) {
			pause(ctx, gatherFor)
			gathered = true
			continue
		}
		gathered = false

		n := min(free, maxBatch)
		w.freedByReport.Store(false)
		var tasks []gen.ClaimedTask
		err := w.within(asking, callTimeout, claiming, func(ctx context.Context) (err error) {
			tasks, err = w.functions.ClaimTasks(ctx, gen.ClaimTasksParams{
				Names: w.names, WorkerID: w.id, MaxTasks: int32(n), LockSeconds: w.lockArg,
			})
			return err
		})
		poll.Reset(w.config.PollInterval)
		if err != nil {
			w.doubtful = time.Now().Add(callTimeout)
			if pgerr.Of(err) == pgerr.Judged {
				w.watch.Failed(claiming, err)
			}
			w.watch.Pause(ctx, delay)
			delay = min(2*delay, max(maxDelay, w.config.PollInterval))
			continue
		}
		delay = firstDelay
		more = len(tasks) == n
		w.sleeps(more)
		again.Reset(w.limitedFor(asking, more))
		for _, task := range tasks {
			w.claimed <- w.hold(last, task) // there is room for all held tasks
		}
		signal(w.queued)
		w.clearDoubt(asking)
	}
}

// sleeps marks in the database whether the worker needs to be woken. It need not be woken while each claim returns as many tasks as
// requested.
func (w *Worker) sleeps(more bool) {
	if w.listener == nil {
		return
	}
	if !more {
		w.shortAt = time.Now()
		w.listener.Sleep(true)
	} else if time.Since(w.shortAt) >= awakeAfter {
		w.listener.Sleep(false)
	}
}

// limitedFor returns how long a limit holds tasks back after a claim that found fewer tasks than requested. It returns a long time if no
// limit holds tasks back. A task that waits for a running task is claimed after the report of the running task.
func (w *Worker) limitedFor(ctx context.Context, more bool) time.Duration {
	const long = time.Hour
	if more || !w.limited.Load() && time.Now().Before(w.askAt) {
		return long
	}
	var seconds float64
	if err := w.within(ctx, callTimeout, "querying claims", func(ctx context.Context) (err error) {
		seconds, err = w.functions.NextClaimIn(ctx, w.names)
		return err
	}); err != nil {
		return long // the next poll suffices
	}
	w.limited.Store(seconds >= 0)
	switch {
	case seconds < 0: // no limit holds tasks back. The worker asks again with a poll
		w.askAt = time.Now().Add(w.config.PollInterval)
		return long
	case math.IsInf(seconds, 1):
		// A report may have arrived between the claim and its answer.
		if w.freedByReport.Swap(false) {
			return 0
		}
		return long
	}
	// Tasks that other sessions hold seem claimable at once.
	return max(time.Duration(min(seconds, long.Seconds())*float64(time.Second)), shortestWait)
}

// clearDoubt hands back tasks that belong to this worker in the database but that the worker does not know: a claim succeeded, but its
// answer was lost with the connection. The worker checks this for a while after a failed claim, because the server may still be running the
// claim.
func (w *Worker) clearDoubt(ctx context.Context) {
	if w.doubtful.Before(time.Now()) {
		return
	}
	var claims []gen.ClaimedTask
	err := w.within(ctx, callTimeout, "querying claims", func(ctx context.Context) (err error) {
		claims, err = w.functions.ListClaims(ctx, w.names, w.id)
		return err
	})
	if err != nil {
		return // the worker asks again with the next claim
	}
	var ids []uuid.UUID
	var claimNos []int32
	for _, c := range claims {
		if !w.knows(c.ID) {
			ids, claimNos = append(ids, c.ID), append(claimNos, c.ClaimNo)
		}
	}
	if len(ids) == 0 {
		return
	}
	w.logger.WarnContext(ctx, "handing back tasks whose claim was interrupted", "count", len(ids))
	if err := w.within(ctx, callTimeout, "handing tasks back", func(ctx context.Context) error {
		_, err := w.functions.ReleaseTasks(ctx, gen.ReleaseTasksParams{WorkerID: w.id, Ids: ids, ClaimNos: claimNos})
		return err
	}); err != nil {
		w.logger.WarnContext(ctx, "tasks could not be handed back", "error", err)
	}
}

// knows reports whether the worker holds a task, or has run it and not yet reported it.
func (w *Worker) knows(id uuid.UUID) bool {
	w.mu.Lock()
	held := w.held[id] != nil
	w.mu.Unlock()
	return held || w.outbox.knows(id)
}

type started struct {
	*held
	ctx context.Context
}

// hold remembers a task as this worker's.
func (w *Worker) hold(ctx context.Context, task gen.ClaimedTask) started {
	ctx, cancel := context.WithCancelCause(ctx)
	h := &held{task: task, cancel: cancel, renewed: time.Now()}
	h.end = time.AfterFunc(w.lock, func() { w.lockEnded(h) })
	w.mu.Lock()
	w.held[task.ID] = h
	w.mu.Unlock()
	return started{h, ctx}
}

// letGo forgets a task and frees its place.
func (w *Worker) letGo(h *held) {
	h.cancel(nil)
	h.end.Stop()
	w.mu.Lock()
	if w.held[h.task.ID] == h {
		delete(w.held, h.task.ID)
	}
	w.mu.Unlock()
	signal(w.freed)
}

func (w *Worker) heldCount() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.held)
}

// cancelTask ends the context of a task if this worker holds the task.
func (w *Worker) cancelTask(id uuid.UUID, claimNo int32, cause error) {
	w.mu.Lock()
	h := w.held[id]
	w.mu.Unlock()
	if h != nil && (claimNo == 0 || h.task.ClaimNo == claimNo) {
		h.cancel(cause)
	}
}

func (w *Worker) cancelAll(cause error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, h := range w.held {
		h.cancel(cause)
	}
}
