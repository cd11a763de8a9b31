package worker

import (
	"context"
	"sync"
	"time"
)

// An attempt is the context of one attempt that has a time-out. It is no child context, because [Step.Extend] moves its deadline.
type attempt struct {
	context.Context // that of the worker, whose end ends the attempt

	inner  context.Context // ends with the attempt
	cancel context.CancelFunc
	start  time.Time

	mu       sync.Mutex
	deadline time.Time
	timer    *time.Timer
	err      error
}

// attemptKey finds the attempt of a context.
type attemptKey struct{}

// newAttempt returns a context that ends after a time-out, unless it is extended, and a function that ends it at once.
func newAttempt(ctx context.Context, timeout time.Duration) (*attempt, context.CancelFunc) {
	a := &attempt{Context: ctx, start: time.Now()}
	a.deadline = a.start.Add(timeout)
	a.inner, a.cancel = context.WithCancel(ctx)
	context.AfterFunc(ctx, func() { a.end(ctx.Err()) })
	a.mu.Lock()
	defer a.mu.Unlock()
	a.timer = time.AfterFunc(timeout, a.expire)
	return a, func() { a.end(context.Canceled) }
}

// end ends the attempt, unless it has ended.
func (a *attempt) end(err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.err == nil {
		a.err = err
		a.timer.Stop()
		a.cancel()
	}
}

// expire ends the attempt if its deadline has come: it may have been extended meanwhile.
func (a *attempt) expire() {
	a.mu.Lock()
	due := !time.Now().Before(a.deadline)
	a.mu.Unlock()
	if due {
		a.end(context.DeadlineExceeded)
	}
}

// extend lets the attempt last until a time, if that is later than its deadline. It returns why the attempt has ended.
func (a *attempt) extend(until time.Time) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.err == nil && until.After(a.deadline) {
		a.deadline = until
		a.timer.Reset(time.Until(until))
	}
	return a.err
}

// timeout is how long the attempt may last in all.
func (a *attempt) timeout() time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.deadline.Sub(a.start)
}

func (a *attempt) Deadline() (time.Time, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if earlier, bounded := a.Context.Deadline(); bounded && earlier.Before(a.deadline) {
		return earlier, true
	}
	return a.deadline, true
}

func (a *attempt) Done() <-chan struct{} { return a.inner.Done() }

func (a *attempt) Err() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.err == nil {
		return a.Context.Err()
	}
	return a.err
}

func (a *attempt) Value(key any) any {
	if key == (attemptKey{}) {
		return a
	}
	return a.Context.Value(key)
}

// AfterFunc saves a goroutine for each child context: package context asks for it.
func (a *attempt) AfterFunc(f func()) (stop func() bool) { return context.AfterFunc(a.inner, f) }

// Extend lets the attempt last at least d from now, whatever the time-out of the step is: a handler that has done a part of its work
// asks for the time that the rest takes. A call never shortens the time. A step without a time-out needs no extension. The error is
// why the run has ended, such as a lost lease or a cancelled task: then nothing is extended. The deadline of the task stays as it is. Extend
// before you derive a context with a time of its own: one that is derived earlier may have dropped that time as the later one.
func (s *Step) Extend(d time.Duration) error {
	if a, ok := s.ctx.Value(attemptKey{}).(*attempt); ok {
		_ = a.extend(time.Now().Add(d)) // its error is the context's
	}
	return context.Cause(s.ctx)
}
