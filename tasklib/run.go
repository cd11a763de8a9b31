package tasklib

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/google/uuid"
)

// Current tells a function which task it runs.
type Current struct {
	ID       uuid.UUID
	Name     string
	WorkerID string
	// ClaimNo is how often the task was claimed, this time included.
	ClaimNo int
	// RetryCount is how often the task was retried; MaxRetries how often it may be.
	RetryCount, MaxRetries int
	CreatedAt, ScheduledAt time.Time
	Tags                   json.RawMessage
}

type currentKey struct{}

// CurrentTask returns what the function that got ctx runs, and false elsewhere.
func CurrentTask(ctx context.Context) (Current, bool) {
	current, ok := ctx.Value(currentKey{}).(Current)
	return current, ok
}

// work waits for a slot, runs the function, and passes on what came of it.
func (w *Worker) work(ctx context.Context, h *held) {
	// Its place is given back before its result is reported: reports that cannot keep up hold places.
	defer w.letGo(h)
	select {
	case w.slots <- struct{}{}:
		defer func() { <-w.slots }()
	case <-ctx.Done(): // cancelled or lost before it began
		w.finish(ctx, h, nil, context.Cause(ctx))
		return
	case <-w.leave:
		w.reports <- report{kind: reportReleased, id: h.task.ID, claimNo: h.task.ClaimNo, name: h.task.Name}
		return
	}

	task := h.task
	if task.TimeoutSeconds != nil {
		timeout := time.Duration(*task.TimeoutSeconds) * time.Second
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, timeout, ErrTimeout)
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
	result, err := call(ctx, w.client.task(task.Name), task.Kwargs)
	w.finish(ctx, h, result, err)
}

// call runs the function and turns a panic into an error.
func call(ctx context.Context, r *registered, kwargs json.RawMessage) (result json.RawMessage, err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &PanicError{Value: value, Stack: debug.Stack()}
		}
	}()
	return r.run(ctx, kwargs)
}

// finish decides what is reported. A result stands, even if its context has ended meanwhile.
func (w *Worker) finish(ctx context.Context, h *held, result json.RawMessage, err error) {
	r := report{id: h.task.ID, claimNo: h.task.ClaimNo, name: h.task.Name, result: result}
	cause := context.Cause(ctx)
	switch {
	case err == nil:
	case errors.Is(cause, ErrCancelled) || errors.Is(cause, ErrLost):
		w.logger.Info("a task is no longer this worker's", "task", h.task.ID, "name", h.task.Name, "cause", cause)
		return
	case errors.Is(cause, ErrStopped):
		r.kind = reportReleased
	default:
		r.kind = reportFailed
		r.failure(err, cause)
		w.logger.Warn("a run failed", "task", h.task.ID, "name", h.task.Name,
			"retries", h.task.RetryCount, "permanent", r.permanent, "error", brief(err))
	}
	w.reports <- r
}

// brief keeps stacks out of the log: the database has them.
func brief(err error) string {
	var panicked *PanicError
	if errors.As(err, &panicked) {
		return fmt.Sprintf("panic: %v", panicked.Value)
	}
	return err.Error()
}
