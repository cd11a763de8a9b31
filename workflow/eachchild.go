package workflow

import (
	"encoding/json"
	"fmt"

	"github.com/pgtasker/pgtasker/internal/jsonfit"
	"github.com/pgtasker/pgtasker/template"
)

// EachChild adds a map of tasks. For each element of a step's result it starts a task of another workflow with the element as its context,
// and waits for all tasks. The results of the child's step that is passed as last are in the order of the elements. If the task's context
// contains the list, pass [Elements] instead of a step.
//
//	parcels := workflow.EachChild(order, "ship", lines, shipping, label) // lines is a []Parcel, shipping's context is a Parcel
//	bill := workflow.After1(order, "bill", parcels, sendBill)            // gets the result of each label
//
// [MaxParallel] bounds how many tasks are open at a time. [Timeout], [OnTimeout], [Abandon] and [Retry] apply to each element, as in a
// [Child]. An element whose task has failed for good waits for an operator, unless [EachChildAllowing] made the map.
func EachChild[C, K, R any](
	w *Workflow[C], name string, list Step[C, []K], child *Workflow[K], last Step[K, R], options ...StepOption,
) Step[C, []R] {
	n := eachChild(w, name, list, child, last, nil, options)
	return Step[C, []R]{parent: parent{graph: w.graph, own: []edge{{node: n}}}, read: readOfChildren(n, func(raw json.RawMessage) (R, error) {
		return resultOfTask(n, last, raw)
	})}
}

// EachChildAllowing is [EachChild] with an argument failures, which says how many tasks may fail for good. The results of failed tasks are
// nil. If one more task fails, the step fails, and no further tasks are started. Running tasks continue.
func EachChildAllowing[C, K, R any](
	w *Workflow[C], name string, list Step[C, []K], failures int, child *Workflow[K], last Step[K, R], options ...StepOption,
) Step[C, []*R] {
	n := eachChild(w, name, list, child, last, new(int64(failures)), options)
	return Step[C, []*R]{parent: parent{graph: w.graph, own: []edge{{node: n}}}, read: readOfChildren(n, func(raw json.RawMessage) (*R, error) {
		if isNull(raw) {
			return nil, nil
		}
		value, err := resultOfTask(n, last, raw)
		return &value, err
	})}
}

func eachChild[C, K, R any](
	w *Workflow[C], name string, list Step[C, []K], child *Workflow[K], last Step[K, R], failures *int64, options []StepOption,
) *node {
	t := child.graph.seal()
	n := &node{step: template.Step{
		Name:          name,
		ForEach:       &template.ForEach{Path: "$"},
		AllowFailures: failures,
		Task: &template.Task{
			Namespace: t.Namespace, Name: t.Name, Version: t.Version, Context: json.RawMessage(`{"path": "$inputs.element"}`),
		},
	}}
	if problem := child.graph.lastProblem(last.parent); problem != "" {
		w.graph.problem("step %q: %s", name, problem)
	}
	p := list.parent
	runsOver(n, &p)
	w.graph.add(n, []parent{p}, options)
	return n
}

// readOfChildren reads the results of a map's tasks, one by one.
func readOfChildren[R any](n *node, one func(json.RawMessage) (R, error)) func(results) ([]R, error) {
	return func(from results) ([]R, error) {
		raw, found, err := from(n.step.Name)
		switch {
		case err != nil:
			return nil, err
		case !found:
			return nil, missingError{n.step.Name, "has no result"}
		}
		var all []json.RawMessage
		if err := jsonfit.DecodeResult(n.step.Name, raw, &all); err != nil {
			return nil, err
		}
		values := make([]R, len(all))
		for i, raw := range all {
			if values[i], err = one(raw); err != nil {
				return nil, fmt.Errorf("element %d: %w", i, err)
			}
		}
		return values, nil
	}
}
