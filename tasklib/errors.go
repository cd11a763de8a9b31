package tasklib

import (
	"errors"
	"fmt"
	"time"
)

// Causes why a function's context ended, as context.Cause returns them.
var (
	// ErrCancelled says that the task was cancelled.
	ErrCancelled = errors.New("the task was cancelled")
	// ErrLost says that the task's lock has ended and another worker may have it.
	ErrLost = errors.New("the task was lost to another worker")
	// ErrStopping says that the worker stops and would wait no longer. The task will run again.
	ErrStopping = errors.New("the worker is stopping")
	// ErrTimeout says that the run took longer than its timeout.
	ErrTimeout = errors.New("the run took too long")
)

// ErrKey says that arguments cannot be opened: their key is missing, or they were changed.
var ErrKey = errors.New("the arguments cannot be decrypted")

// ArgsError says which arguments cannot be: at submission the caller gets it, and in a worker the task
// fails for good with it.
type ArgsError struct {
	// Name of the task.
	Name string
	// Field whose value is wrong, as in JSON, empty if it is not known or all of it is.
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

// PanicError is the failure of a run whose function panicked.
type PanicError struct {
	// Value that was panicked with.
	Value any
	// Stack of the goroutine.
	Stack []byte
}

// Error returns the value and the stack, for operators.
func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v\n\n%s", e.Value, e.Stack) }

// Unwrap returns the value if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

type permanentError struct{ err error }

func (e *permanentError) Error() string { return e.err.Error() }
func (e *permanentError) Unwrap() error { return e.err }

// Permanent marks an error that no retry would help against: the task fails for good. Nil stays nil.
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

// RetryAfter is an error that asks for the next run after d instead of the backoff. It may wrap the errors that are
// the reason.
func RetryAfter(d time.Duration, because ...error) error {
	return &retryAfterError{after: d, cause: errors.Join(because...)}
}
