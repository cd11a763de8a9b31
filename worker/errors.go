package worker

import (
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/pgtasker/pgtasker/internal/jsonfit"
)

// These errors are the reasons why a handler's context ended, as [context.Cause] returns them. After a timeout the cause is
// [context.DeadlineExceeded].
var (
	// ErrCancelled says that the step was cancelled, with its task or alone, or that its task is being undone. In the second case a result
	// that the handler returns before the lease ends is still recorded, and its step is undone.
	ErrCancelled = errors.New("the step was cancelled")
	// ErrLost says that the step no longer belongs to this worker, because the lease has ended or an operator decided about the step. If
	// the database reported the loss, the database would refuse a result. If the worker could not renew the lease and only assumes the
	// loss, it still sends a result, and the database accepts or refuses the result.
	ErrLost = errors.New("the step is no longer this worker's")
	// ErrStopping says that the worker stops and its StopTimeout has passed. An error that the handler returns after that does not count as
	// a failure. The step is handed back, and the attempt does not count.
	ErrStopping = errors.New("the worker is stopping")
)

// ErrSuspended says that a durable function waits. Its step is suspended, and when the wait has ended, a worker runs the function again
// from the top. ErrSuspended is the cause with which the handler's context ends, and the error that middleware gets.
var ErrSuspended = errors.New("the step is suspended")

// errContinued says that a function begins again with a new state.
var errContinued = errors.New("the function continues")

// ErrNoResult says that the step does not depend on a step with the requested name, or that the named step was skipped and has no result.
var ErrNoResult = errors.New("no such result")

// ErrMisfit says that a context or a result does not fit the requested type. It is another kind of JSON, has none of the type's fields, or
// lacks a field with the tag `tasker:"required"`. A value with other missing fields or with additional fields fits.
var ErrMisfit = jsonfit.ErrMisfit

// ofAnotherBuild returns why a handler that returned err leaves its step for another build, or nil.
func ofAnotherBuild(err error) *jsonfit.OtherBuildError {
	var other *jsonfit.OtherBuildError
	if isPermanent(err) || !errors.As(err, &other) {
		return nil
	}
	return other
}

// errNoHandler says that the worker has no handler with the requested name.
var errNoHandler = errors.New("no such handler")

// errNamespace says that the worker should run steps of a namespace that its configuration does not name.
var errNamespace = errors.New("not a namespace of the worker")

// permanentError is an error after which the step is not tried again.
type permanentError struct{ error }

func (e permanentError) Unwrap() error { return e.error }

// Permanent marks an error that another attempt could not avoid. If a handler returns such an error, the step fails for good, even if it
// has attempts left. Permanent(nil) is nil.
func Permanent(err error) error {
	if err == nil {
		return nil
	}
	return permanentError{err}
}

// retryError is an error that says when to try again.
type retryError struct {
	after time.Duration
	cause error
}

func (e retryError) Error() string {
	if e.cause == nil {
		return fmt.Sprintf("to be tried again after %s", e.after)
	}
	return e.cause.Error()
}

func (e retryError) Unwrap() error { return e.cause }

// RetryAfter returns an error that asks for the next attempt after the duration d instead of the template's backoff, for example to obey an
// HTTP header Retry-After. The error wraps the errors in because. The attempt counts, so after the last attempt the step fails for good.
func RetryAfter(d time.Duration, because ...error) error {
	return retryError{after: d, cause: errors.Join(because...)}
}

// snoozeError is an error that asks to run the step again later, without a failure.
type snoozeError struct {
	after  time.Duration
	reason string
}

func (e *snoozeError) Error() string { return e.reason }

// Snooze returns an error that asks to run the step again after the duration d. This is no failure: the attempt does not count, and the
// checkpoint and the kept results stay. The history of the step shows the reason. Any worker may run the step when the time has come. A
// snooze lasts from a millisecond to a year. If d is outside of these bounds, the error is a [Permanent] failure.
func Snooze(d time.Duration, reason string) error {
	if d < time.Millisecond || d > longestBackoff {
		return Permanent(fmt.Errorf("a snooze of %s is out of bounds: it lasts from a millisecond to a year", d))
	}
	if letters := []rune(reason); len(letters) > maxReason {
		reason = string(letters[:maxReason])
	}
	return &snoozeError{d, reason}
}

// maxReason is how many characters of a snooze's reason a worker sends. The database accepts more, since an encrypted reason is longer.
const maxReason = 2000

// snooze returns the snooze that a handler's error asks for, or nil.
func snooze(err error) *snoozeError {
	var asked *snoozeError
	if isPermanent(err) || !errors.As(err, &asked) {
		return nil
	}
	return asked
}

// longestBackoff is the longest backoff that the database accepts.
const longestBackoff = 365 * 24 * time.Hour

// backoff returns the wait before the next attempt that the error asks for, or nil.
func backoff(err error) *time.Duration {
	var retry retryError
	if !errors.As(err, &retry) {
		return nil
	}
	return new(max(0, min(retry.after, longestBackoff)))
}

func isPermanent(err error) bool {
	var permanent permanentError
	var kept *KeptError
	return errors.As(err, &permanent) || errors.As(err, &kept)
}

// PanicError is the failure of an attempt whose handler panicked.
type PanicError struct {
	// Value that was passed to panic.
	Value any
	// Stack of the goroutine.
	Stack []byte
}

// Error returns the value and the stack, so that operators see both.
func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v\n\n%s", e.Value, e.Stack) }

// Unwrap returns the value if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// maxError is how many characters of an error's text the database keeps, for example of the stack of a panic or the body of a response.
const maxError = 65536

// classed is an error that names its class with a method ErrorClass. Failures of one class and one handler are one incident, even if their
// texts differ: docs/howto/incidents.md.
type classed interface{ ErrorClass() string }

// errorText returns the text of err that the database keeps. The text is never empty, since an empty text would mean success.
func errorText(err error) string {
	text := err.Error()
	var of classed
	if errors.As(err, &of) {
		return cutText("[class=" + of.ErrorClass() + "] " + text)
	}
	if text == "" {
		return fmt.Sprintf("%T", err)
	}
	return cutText(text)
}

// cutText cuts a text to the length that the database keeps.
func cutText(text string) string {
	const cut = "\n… (shortened)"
	if len(text) <= maxError || utf8.RuneCountInString(text) <= maxError {
		return text
	}
	kept, most := 0, maxError-utf8.RuneCountInString(cut)
	for at := range text {
		if kept == most {
			return text[:at] + cut
		}
		kept++
	}
	return text
}
