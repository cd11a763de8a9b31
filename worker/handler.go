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

// Handler runs a step: In is the type of the task's context, Out the type of the result.
type Handler[In, Out any] func(ctx context.Context, job *Job[In]) (Out, error)

// HandlerFunc is a handler without its types, the form that middleware sees. It takes the step, returns the results, and is called once for
// each attempt.
type HandlerFunc func(ctx context.Context, step *Step) (json.RawMessage, error)

// Middleware wraps handlers: it may read the step, change the context, call next or not, and read its outcome. Panics of handlers reach
// middleware as errors.
type Middleware func(next HandlerFunc) HandlerFunc

// HandlerOption changes how a handler is run.
type HandlerOption func(*entry)

// MaxRunning lets at most n steps of the handler run at the same time in this worker.
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

// With wraps the handler in middleware, inside the middleware of the worker. The first is the outermost.
func With(middleware ...Middleware) HandlerOption {
	return func(e *entry) { e.middleware = append(e.middleware, middleware...) }
}

// entry is a handler that a worker knows.
type entry struct {
	name       string
	code       any  // the function before it is wrapped
	limit      int  // 0: none of its own
	tx         bool // its result is recorded in its own transaction
	timeout    time.Duration
	middleware []Middleware
	codec      codec.Codec // the middleware of the worker
	call       HandlerFunc
}

// Handle makes w run the steps whose handler has this name in the template. The default handler of a step is the step's name. Handle panics
// if w already has a handler of this name or is running, since that is a mistake in the program.
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

// typed is a handler that decodes its input and encodes its result.
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

// wrap puts middleware around a handler, the first outermost.
func wrap(handler HandlerFunc, middleware []Middleware) HandlerFunc {
	for _, m := range slices.Backward(middleware) {
		handler = protected(m(handler))
	}
	return handler
}
