package workflow

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/pgtasker/pgtasker/internal/jsonfit"
	"github.com/pgtasker/pgtasker/template"
	"github.com/pgtasker/pgtasker/worker"
)

// Each adds a map: the function f runs for each element of a step's result, on any worker. Each element is retried by the [Retry] of the
// step. The results are in the order of the elements. If another step only has to run first, pass list.And(step) as the list.
//
//	lines := workflow.Root(order, "lines", listLines)           // returns []Line
//	parcels := workflow.Each(order, "pack", lines, pack)        // pack gets a Line, returns a Parcel
//	label := workflow.After1(order, "label", parcels, printAll) // printAll gets []Parcel
//
// If the task's context contains the list, pass [Elements] instead of a step:
//
//	parcels := workflow.Each(order, "pack", workflow.Elements[Line](order, "$.lines"), pack)
//
// An element that fails for good waits for an operator, unless [EachAllowing] made the map.
func Each[C, E, R any](
	w *Workflow[C], name string, list Step[C, []E],
	f func(context.Context, *Job[C], E) (R, error), options ...StepOption,
) Step[C, []R] {
	n := each[C, E, R](w, name, list, f != nil, nil, options, eachHandler(f))
	return Step[C, []R]{parent: parent{graph: w.graph, own: []edge{{node: n}}}, read: readOf[[]R](n)}
}

// EachAllowing is [Each] with an argument failures, which says how many elements may fail for good. The results of failed elements are nil.
// If one more element fails, the step fails, and elements that have not started do not run.
func EachAllowing[C, E, R any](
	w *Workflow[C], name string, list Step[C, []E], failures int,
	f func(context.Context, *Job[C], E) (R, error), options ...StepOption,
) Step[C, []*R] {
	n := each[C, E, R](w, name, list, f != nil, new(int64(failures)), options, eachHandler(f))
	return Step[C, []*R]{parent: parent{graph: w.graph, own: []edge{{node: n}}}, read: readOf[[]*R](n)}
}

// Elements returns the array that a jsonpath such as $.lines finds in the task's context. Pass it as the list of an [Each].
func Elements[E, C any](w *Workflow[C], path string) Step[C, []E] {
	p := parent{graph: w.graph, path: path, optional: true}
	if path == "" {
		p.path = "$" // The path is wrong, so the workflow is refused.
		p.problem("Elements have no path, such as $.lines")
	}
	return Step[C, []E]{parent: p, read: func(results) ([]E, error) { return nil, nil }}
}

// MaxParallel bounds how many elements of an [Each] are in progress at a time, over all workers. Default: no bound.
func MaxParallel(n int) StepOption {
	return stepOption(func(to *node) { to.step.MaxParallel = new(int64(n)) })
}

// eachHandler makes a handler from the function of a map.
func eachHandler[C, E, R any](f func(context.Context, *Job[C], E) (R, error)) func(n *node, to *worker.Worker, handler string) {
	return func(n *node, to *worker.Worker, handler string) {
		worker.Handle(to, handler, func(ctx context.Context, job *worker.Job[C]) (result R, err error) {
			element, err := elementOf[E](n, job.Inputs)
			if err != nil {
				return result, err
			}
			result, err = f(ctx, job, element)
			return listed(n, result), err
		}, append(n.options, code(f))...)
	}
}

func each[C, E, R any](
	w *Workflow[C], name string, list Step[C, []E], hasFunction bool, failures *int64, options []StepOption,
	handle func(n *node, to *worker.Worker, handler string),
) *node {
	n := &node{
		step:   template.Step{Name: name, ForEach: &template.ForEach{Path: "$"}, AllowFailures: failures},
		result: jsonfit.Describe(reflect.TypeFor[[]R]()),
	}
	w.graph.encodes(n, "result", reflect.TypeFor[R]())
	if hasFunction {
		n.handle = func(to *worker.Worker, handler string) { handle(n, to, handler) }
	}
	p := list.parent
	runsOver(n, &p)
	w.graph.add(n, []parent{p}, options)
	return n
}

// runsOver makes a step a map that runs over a list.
func runsOver(n *node, list *parent) {
	switch {
	case list.path != "":
		n.step.ForEach.Path = list.path
	case len(list.own) == 1 && !list.several:
		n.step.ForEach.Step = list.own[0].node.step.Name
		list.own[0].node.elements = true
	case list.graph != nil:
		list.problem("Each runs over the result of one step")
	}
}

// elementOf decodes the element of an instance.
func elementOf[E any](n *node, inputs func(any) error) (element E, err error) {
	var in struct {
		Element json.RawMessage `json:"element"`
	}
	if err := inputs(&in); err != nil {
		return element, err
	}
	if isNull(in.Element) && !isMissing[E](in.Element) {
		return element, nil
	}
	if err := jsonfit.Decode(in.Element, &element); err != nil {
		err = fmt.Errorf("the element %w", err)
		if above := n.step.ForEach.Step; above != "" && errors.Is(err, jsonfit.ErrMisfit) {
			err = &jsonfit.OtherBuildError{Step: above, Err: fmt.Errorf("the result of %q: %w", above, err)}
		}
		return element, err
	}
	return element, nil
}

// listed replaces a nil slice by an empty slice if a map runs over the result, since JSON would encode a nil slice as null.
func listed[R any](n *node, result R) R {
	if v := reflect.ValueOf(&result).Elem(); n.elements && v.Kind() == reflect.Slice && v.IsNil() {
		v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	}
	return result
}
