package tasklib

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pgtasker/pgtasker/codec"
	"github.com/pgtasker/pgtasker/worker"
)

// Causes of the end of a function's context, from context.Cause: errors.Is [worker.ErrCancelled], [worker.ErrLost], [worker.ErrStopping],
// or [context.DeadlineExceeded] if the run took longer than its timeout.
var (
	errCancelled = cause{"the task was cancelled", worker.ErrCancelled}
	errLost      = cause{"the task was lost to another worker", worker.ErrLost}
	errStopping  = cause{"the worker is stopping", worker.ErrStopping}
	errTimeout   = cause{"the run took too long", context.DeadlineExceeded}
)

// cause wraps a cause with the words of tasklib.
type cause struct {
	text string
	is   error
}

func (c cause) Error() string { return c.text }
func (c cause) Unwrap() error { return c.is }

// ErrKey says that arguments cannot be opened: their key is missing, or they were changed.
var ErrKey = codec.ErrKey

// ArgsError says which arguments are invalid. At submission the caller gets it. In a worker it is the error with which the task fails for
// good.
type ArgsError struct {
	// Name of the task.
	Name string
	// Field whose value is wrong, by its JSON name. It is empty if the field is unknown or the whole value is wrong.
	Field string
	// Err is the problem.
	Err error
}

// Error names the task and the field.
func (e *ArgsError) Error() string {
	if e.Field == "" {
		return fmt.Sprintf("arguments of task %q: %v", e.Name, e.Err)
	}
	return fmt.Sprintf("arguments of task %q: field %q: %v", e.Name, e.Field, e.Err)
}

// Unwrap returns the problem.
func (e *ArgsError) Unwrap() error { return e.Err }

type permanentError struct{ err error }

func (e *permanentError) Error() string { return e.err.Error() }
func (e *permanentError) Unwrap() error { return e.err }

// Permanent marks an error that no retry would mend: the task fails for good. Permanent(nil) is nil.
func Permanent(err error) error {
	if err == nil {
		return nil
	}
	return &permanentError{err}
}

type retryAfterError struct {
	after time.Duration
	cause error
}

func (e *retryAfterError) Error() string {
	if e.cause == nil {
		return fmt.Sprintf("to be tried again after %s", e.after)
	}
	return e.cause.Error()
}

func (e *retryAfterError) Unwrap() error { return e.cause }

type snoozeError struct {
	after  time.Duration
	reason string
}

func (e *snoozeError) Error() string { return e.reason }

// longestSnooze is the longest snooze that the database accepts.
const longestSnooze = 365 * 24 * time.Hour

// Snooze is an error that asks to run the task again after d, without a failure: the run does not count as a retry, and the reason stands in
// the record of the run. A snooze lasts from a millisecond to a year: for another d the error is a [Permanent] failure that says so.
func Snooze(d time.Duration, reason string) error {
	if d < time.Millisecond || d > longestSnooze {
		return Permanent(fmt.Errorf("a snooze of %s is out of bounds: it lasts from a millisecond to a year", d))
	}
	return &snoozeError{d, reason}
}

// RetryAfter is an error that asks for the next run after d instead of the backoff. It may wrap the errors that are its reason.
func RetryAfter(d time.Duration, because ...error) error {
	return &retryAfterError{after: d, cause: errors.Join(because...)}
}
