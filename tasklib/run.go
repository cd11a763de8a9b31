package tasklib

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/internal/sound"
	"github.com/pgtasker/pgtasker/worker"
)

// Current describes the task that a function runs.
type Current struct {
	ID       uuid.UUID
	Name     string
	WorkerID string
	// ClaimNo is how often the task was claimed, including this claim.
	ClaimNo int
	// RetryCount is how often the task was retried. MaxRetries is how often it may be retried.
	RetryCount, MaxRetries int
	CreatedAt, ScheduledAt time.Time
	Tags                   json.RawMessage
}

type currentKey struct{}

// CurrentTask returns the task of the function that got ctx, and false for other contexts.
func CurrentTask(ctx context.Context) (Current, bool) {
	current, ok := ctx.Value(currentKey{}).(Current)
	return current, ok
}

// startRunners starts one runner at once, and more runners when tasks have waited for a runner. A few runners suffice for very short
// functions, and each runner costs a stack.
func (w *Worker) startRunners() {
	defer close(w.started)
	for runners := 0; runners < w.config.Concurrency; {
		select {
		case <-w.leave:
			return
		case <-w.queued:
		}
		if runners == 0 {
			runners++
			w.running.Go(w.runClaimed)
		}
		for runners < w.config.Concurrency && w.idle.Load() == 0 && len(w.claimed) > 0 {
			before := w.begun.Load()
			timer := time.NewTimer(growAfter)
			select {
			case <-w.leave:
				timer.Stop()
				return
			case <-timer.C:
			}
			if w.outbox.busy() {
				continue // the runners wait for the database
			}
			// The remaining tasks would wait longer than another such moment. Double the runners each time, since a busy machine is no
			// reason to start thousands at once.
			waiting := int64(len(w.claimed)) - (w.begun.Load() - before)
			for grow := max(runners, 4); grow > 0 && waiting > 0 && runners < w.config.Concurrency; grow-- {
				runners++
				waiting--
				w.running.Go(w.runClaimed)
			}
		}
	}
}

// runClaimed is a runner: it runs one task after the other, on a stack that grows only once.
func (w *Worker) runClaimed() {
	closed := false
	defer func() {
		if !closed { // A function has ended this goroutine: start another runner in its place.
			w.running.Go(w.runClaimed)
		}
	}()
	for {
		w.idle.Add(1)
		s, open := <-w.claimed
		w.idle.Add(-1)
		w.begun.Add(1)
		if !open {
			closed = true
			return
		}
		if len(w.claimed) > 0 {
			signal(w.queued) // Until now this runner counted as idle, and no other was started.
		}
		w.work(s.ctx, s.held)
	}
}

// work runs the function and passes its outcome on.
func (w *Worker) work(ctx context.Context, h *held) {
	defer w.letGo(h)
	select {
	case <-w.leave:
		w.outbox.put(report{kind: reportReleased, id: h.task.ID, claimNo: h.task.ClaimNo, name: h.task.Name})
		return
	default:
	}
	if ctx.Err() != nil { // cancelled or lost before it began
		w.finish(ctx, h, nil, context.Cause(ctx))
		return
	}

	task := h.task
	if task.TimeoutSeconds != nil {
		timeout := time.Duration(*task.TimeoutSeconds) * time.Second
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, timeout, errTimeout)
		defer cancel()
		w.mu.Lock()
		h.deadline = time.Now().Add(timeout + w.config.StopTimeout)
		w.mu.Unlock()
	}
	ctx = context.WithValue(ctx, currentKey{}, Current{
		ID: task.ID, Name: task.Name, WorkerID: w.id, ClaimNo: int(task.ClaimNo),
		RetryCount: int(task.RetryCount), MaxRetries: int(task.MaxRetries),
		CreatedAt: task.CreatedAt, ScheduledAt: task.ScheduledAt, Tags: task.Tags,
	})
	returned := false
	defer func() {
		if !returned {
			w.finish(ctx, h, nil, errGoexit)
		}
	}()
	r := w.client.task(task.Name)
	var result json.RawMessage
	var err error
	if r.tx {
		result, err = w.runTx(ctx, h, r)
	} else {
		result, err = call(ctx, r, task.Kwargs, nil)
	}
	returned = true
	w.finish(ctx, h, result, err)
}

// errGoexit says that a function called runtime.Goexit, as FailNow of a test does.
var errGoexit = errors.New("the function ended its goroutine")

// call runs the function and turns a panic into an error, also a panic of the error's methods.
func call(ctx context.Context, r *registered, kwargs json.RawMessage, lend lender) (result json.RawMessage, err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &worker.PanicError{Value: value, Stack: debug.Stack()}
		}
		if stack, panicked := sound.Check(err); panicked != nil {
			err = &worker.PanicError{Value: panicked, Stack: stack}
		}
	}()
	return r.run(ctx, kwargs, lend)
}

// finish decides about the report. A result counts even if the function's context has ended meanwhile.
func (w *Worker) finish(ctx context.Context, h *held, result json.RawMessage, err error) {
	var refused refusedError
	switch {
	case errors.Is(err, errRecorded):
		w.makeRoom()
		return
	case errors.As(err, &refused):
		w.logger.Warn("a result came too late or was refused; what its function wrote is rolled back", "task", h.task.ID, "name", h.task.Name, "error", err)
		return
	}
	r := report{id: h.task.ID, claimNo: h.task.ClaimNo, name: h.task.Name, result: result}
	cause := context.Cause(ctx)
	if err == nil && len(result) > maxResult {
		err = Permanent(fmt.Errorf(`the result of %d bytes is over the setting "result_bytes", and over %d bytes, the most that a worker sends`,
			len(result), maxResult))
	} else if len(result) > maxResult/2 {
		w.logger.Warn("a result is large; keep it elsewhere and return a reference", "task", h.task.ID, "name", h.task.Name,
			"bytes", len(result), "most", maxResult)
	}
	if err != nil {
		r.result = nil
	}
	switch {
	case err == nil:
	case errors.Is(cause, errLockEnded): // The database has not reported it: the task may be handed back.
		r.kind = reportReleased
	case errors.Is(cause, errCancelled) || errors.Is(cause, errLost):
		w.logger.Info("a task is no longer this worker's", "task", h.task.ID, "name", h.task.Name, "cause", cause)
		return
	case errors.Is(cause, errStopping):
		r.kind = reportReleased
	default:
		r.kind = reportFailed
		r.failure(context.WithoutCancel(ctx), w.client.keysOf(h.task.Name), err, cause)
		if r.kind == reportReleased {
			w.logger.Info("a task is snoozed", "task", h.task.ID, "name", h.task.Name, "seconds", r.retryAfter, "reason", r.text)
			break
		}
		w.logger.Warn("a run failed", "task", h.task.ID, "name", h.task.Name,
			"retries", h.task.RetryCount, "permanent", r.permanent, "error", brief(err))
	}
	w.outbox.put(r)
}

// brief returns an error's text without stacks for the log, since the database has the stacks.
func brief(err error) string {
	var panicked *worker.PanicError
	if errors.As(err, &panicked) {
		return fmt.Sprintf("panic: %v", panicked.Value)
	}
	return err.Error()
}
