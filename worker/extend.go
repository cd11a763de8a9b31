package worker

import (
	"context"
	"sync"
	"time"
)

// An attempt is the context of one attempt with a time-out. It is not a context of package context, because [Step.Extend] moves its
// deadline.
type attempt struct {
	context.Context // the context of the worker, whose end ends the attempt

	inner  context.Context // ends with the attempt
	cancel context.CancelFunc
	start  time.Time

	mu       sync.Mutex
	deadline time.Time
	timer    *time.Timer
	err      error
}

// attemptKey is the key under which a context has its attempt.
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

// end ends the attempt, unless the attempt has already ended.
func (a *attempt) end(err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.err == nil {
		a.err = err
		a.timer.Stop()
		a.cancel()
	}
}

// expire ends the attempt if its deadline has come. An extension may have moved the deadline meanwhile.
func (a *attempt) expire() {
	a.mu.Lock()
	due := !time.Now().Before(a.deadline)
	a.mu.Unlock()
	if due {
		a.end(context.DeadlineExceeded)
	}
}

// extend moves the attempt's deadline to a time, if that time is later. If the attempt has ended, extend returns the cause.
func (a *attempt) extend(until time.Time) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.err == nil && until.After(a.deadline) {
		a.deadline = until
		a.timer.Reset(time.Until(until))
	}
	return a.err
}

// timeout returns how long the attempt may last in total.
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

// AfterFunc saves a goroutine for each child context: package context calls it if it exists.
func (a *attempt) AfterFunc(f func()) (stop func() bool) { return context.AfterFunc(a.inner, f) }

// Extend gives the attempt at least the duration d from now, beyond the time-out of the step if necessary. A handler that has done a part
// of its work can ask for the time that the rest takes. A call never shortens the time that is left. A step without a time-out needs no
// extension. If the run has ended, Extend returns the cause, such as a lost lease or a cancelled task, and extends nothing. The deadline of
// the task does not change. Call Extend before you derive a context with its own, later deadline: package context drops a derived deadline
// that is later than the deadline of the parent at that moment.
func (s *Step) Extend(d time.Duration) error {
	if a, ok := s.ctx.Value(attemptKey{}).(*attempt); ok {
		_ = a.extend(time.Now().Add(d)) // its error is the error of the context
	}
	return context.Cause(s.ctx)
}
