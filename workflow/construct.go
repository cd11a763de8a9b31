package workflow

import (
	"context"
	"encoding/json"
	"reflect"
	"sync"

	"github.com/pgtasker/pgtasker/internal/inner"
	"github.com/pgtasker/pgtasker/internal/jsonfit"
	"github.com/pgtasker/pgtasker/template"
	"github.com/pgtasker/pgtasker/worker"
)

// Root adds a step without dependencies. The return value of f is the result of the step. After an error the step is tried again as its
// [Retry] says, unless the error is [worker.Permanent].
func Root[C, R any](
	w *Workflow[C], name string, f func(context.Context, *Job[C]) (R, error), options ...StepOption,
) Step[C, R] {
	return add(w, name, f, nil, options, func(ctx context.Context, job *Job[C], _ results) (R, error) {
		return f(ctx, job)
	})
}

// After1 adds a step that depends on the step a. Its function gets the result of a.
func After1[C, A, R any](
	w *Workflow[C], name string, a Step[C, A],
	f func(context.Context, *Job[C], A) (R, error), options ...StepOption,
) Step[C, R] {
	return add(w, name, f, []parent{a.parent}, options,
		func(ctx context.Context, job *Job[C], from results) (none R, err error) {
			av := take(a, from, &err)
			if err != nil {
				return none, err
			}
			return f(ctx, job, av)
		})
}

// After2 adds a step that depends on the steps a and b. Its function gets their results.
func After2[C, A, B, R any](
	w *Workflow[C], name string, a Step[C, A], b Step[C, B],
	f func(context.Context, *Job[C], A, B) (R, error), options ...StepOption,
) Step[C, R] {
	return add(w, name, f, []parent{a.parent, b.parent}, options,
		func(ctx context.Context, job *Job[C], from results) (none R, err error) {
			av, bv := take(a, from, &err), take(b, from, &err)
			if err != nil {
				return none, err
			}
			return f(ctx, job, av, bv)
		})
}

// After3 is [After2] with three steps. If the results have the same type, [All] passes any number of steps as one argument.
func After3[C, A, B, D, R any](
	w *Workflow[C], name string, a Step[C, A], b Step[C, B], d Step[C, D],
	f func(context.Context, *Job[C], A, B, D) (R, error), options ...StepOption,
) Step[C, R] {
	return add(w, name, f, []parent{a.parent, b.parent, d.parent}, options,
		func(ctx context.Context, job *Job[C], from results) (none R, err error) {
			av, bv, dv := take(a, from, &err), take(b, from, &err), take(d, from, &err)
			if err != nil {
				return none, err
			}
			return f(ctx, job, av, bv, dv)
		})
}

// After4 is [After2] with four steps. If a function needs more results, join steps with results of the same type with [All], or depend on a
// step by [Step.And] and read its result with [worker.Result].
func After4[C, A, B, D, E, R any](
	w *Workflow[C], name string, a Step[C, A], b Step[C, B], d Step[C, D], e Step[C, E],
	f func(context.Context, *Job[C], A, B, D, E) (R, error), options ...StepOption,
) Step[C, R] {
	return add(w, name, f, []parent{a.parent, b.parent, d.parent, e.parent}, options,
		func(ctx context.Context, job *Job[C], from results) (none R, err error) {
			av, bv, dv, ev := take(a, from, &err), take(b, from, &err), take(d, from, &err), take(e, from, &err)
			if err != nil {
				return none, err
			}
			return f(ctx, job, av, bv, dv, ev)
		})
}

// Do adds a step without a result. The argument after says which steps must be complete first. Pass one step, several steps with
// [Step.And], or nil for no step.
func Do[C any](
	w *Workflow[C], name string, after Of[C], f func(context.Context, *Job[C]) error, options ...StepOption,
) Step[C, struct{}] {
	return add(w, name, f, orders(after), options, func(ctx context.Context, job *Job[C], _ results) (struct{}, error) {
		return struct{}{}, f(ctx, job)
	})
}

// Do1 adds a step without a result that depends on the step a. Its function gets the result of a.
func Do1[C, A any](
	w *Workflow[C], name string, a Step[C, A], f func(context.Context, *Job[C], A) error, options ...StepOption,
) Step[C, struct{}] {
	return add(w, name, f, []parent{a.parent}, options,
		func(ctx context.Context, job *Job[C], from results) (none struct{}, err error) {
			av := take(a, from, &err)
			if err != nil {
				return none, err
			}
			return none, f(ctx, job, av)
		})
}

// take reads an argument, unless an earlier argument failed. If the value is missing, the error is permanent, since another attempt would
// not find the value either.
func take[C, A any](step Step[C, A], from results, err *error) (value A) {
	if *err != nil {
		return value
	}
	if value, *err = step.read(from); isFinal(*err) {
		*err = worker.Permanent(*err)
	}
	return value
}

// add adds a step that runs call and gives it access to the results of other steps.
func add[C, R any](
	w *Workflow[C], name string, f any, parents []parent, options []StepOption,
	call func(ctx context.Context, job *Job[C], from results) (R, error),
) Step[C, R] {
	return addNode[C, R](w, name, f, parents, options, func(n *node, to *worker.Worker, handler string) {
		worker.Handle(to, handler, func(ctx context.Context, job *worker.Job[C]) (R, error) {
			result, err := call(ctx, job, parentsOf(&job.Step))
			return listed(n, result), err
		}, append(n.options, code(f))...)
	})
}

// addNode adds a step with the function f, for which handle makes a handler.
func addNode[C, R any](
	w *Workflow[C], name string, f any, parents []parent, options []StepOption, handle func(n *node, to *worker.Worker, handler string),
) Step[C, R] {
	n := &node{step: template.Step{Name: name}, result: jsonfit.Describe(reflect.TypeFor[R]())}
	if !reflect.ValueOf(f).IsNil() {
		n.handle = func(to *worker.Worker, handler string) { handle(n, to, handler) }
		n.encodes = reflect.TypeFor[R]()
	}
	w.graph.encodes(n, "result", reflect.TypeFor[R]())
	w.graph.add(n, parents, options)
	return Step[C, R]{parent: parent{graph: w.graph, own: []edge{{node: n}}}, read: readOf[R](n)}
}

// code returns an option with the function that a step's handler calls, so that messages can name its place in the source.
func code(f any) worker.HandlerOption { return inner.Code(f).(worker.HandlerOption) }

// parentsOf returns the results of the steps on which a step directly depends.
func parentsOf(step *worker.Step) results {
	all := sync.OnceValues(func() (map[string]json.RawMessage, error) { return worker.Results[json.RawMessage](step) })
	return func(name string) (raw json.RawMessage, found bool, err error) {
		parents, err := all()
		raw, found = parents[name]
		return raw, found, err
	}
}
