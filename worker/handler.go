package worker

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/pgtasker/pgtasker/codec"
	"github.com/pgtasker/pgtasker/internal/jsonfit"
)

// Handler runs a step. In is the type of the task's context, and Out is the type of the result.
type Handler[In, Out any] func(ctx context.Context, job *Job[In]) (Out, error)

// HandlerFunc is a handler without its types, in the form that middleware wraps. It is called once for each attempt at a step and returns
// the result as JSON.
type HandlerFunc func(ctx context.Context, step *Step) (json.RawMessage, error)

// Middleware wraps a handler. It may read the step, change the context, call next or not, and read the outcome of next. The panic of a
// handler reaches middleware as an error.
type Middleware func(next HandlerFunc) HandlerFunc

// HandlerOption changes how a handler is run.
type HandlerOption func(*entry)

// MaxRunning bounds how many steps of the handler run at the same time in this worker.
func MaxRunning(n int) HandlerOption {
	if n < 1 {
		panic(fmt.Sprintf("worker: MaxRunning(%d) is below 1", n))
	}
	return func(e *entry) { e.limit = n }
}

// Timeout is how long an attempt may take if the template sets no time-out.
func Timeout(d time.Duration) HandlerOption {
	return func(e *entry) { e.timeout = d }
}

// With wraps the handler in middleware, inside the middleware of the worker. The first middleware is the outermost.
func With(middleware ...Middleware) HandlerOption {
	return func(e *entry) { e.middleware = append(e.middleware, middleware...) }
}

// entry is a registered handler with its options.
type entry struct {
	name       string
	code       any  // the function before it is wrapped
	limit      int  // 0 if only the limit of the worker applies
	tx         bool // its result is recorded in its own transaction
	timeout    time.Duration
	middleware []Middleware
	codec      codec.Codec // the middleware of the worker
	call       HandlerFunc
}

// Handle registers a handler: w then runs the steps whose template names this handler. By default the name of a step's handler is the name
// of the step. Handle panics if w already has a handler with this name or is running, since that is a mistake in the program.
func Handle[In, Out any](w *Worker, name string, handler Handler[In, Out], options ...HandlerOption) {
	if part := jsonfit.Unfit(reflect.TypeFor[Out]()); part != "" {
		panic(fmt.Sprintf("worker: handler %q has a result that cannot be JSON: %s", name, part))
	}
	e := &entry{name: name, code: handler}
	for _, option := range options {
		option(e)
	}
	e.call = protected(typed(handler))
	w.add(e)
}

// typed returns a HandlerFunc that decodes the input, calls the handler and encodes its result.
func typed[In, Out any](handler Handler[In, Out]) HandlerFunc {
	return func(ctx context.Context, step *Step) (json.RawMessage, error) {
		var input In
		if err := step.decodeInput(ctx, &input); err != nil {
			return nil, err
		}
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		step.ctx = ctx
		job := &Job[In]{Step: *step, Input: input}
		defer func() { step.checkpoint = job.checkpoint }()
		var out Out
		err := step.host(cancel, func() (err error) {
			out, err = handler(ctx, job)
			return err
		})
		if err != nil {
			return nil, err
		}
		raw, err := encode(out)
		if err != nil {
			return nil, Permanent(fmt.Errorf("the result of step %q, %T, cannot be stored: %w", step.Name, out, err))
		}
		return raw, nil
	}
}

// wrap wraps a handler in middleware. The first middleware is the outermost.
func wrap(handler HandlerFunc, middleware []Middleware) HandlerFunc {
	for _, m := range slices.Backward(middleware) {
		handler = protected(m(handler))
	}
	return handler
}
