package workflow

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/pgtasker/pgtasker/internal/jsonfit"
	"github.com/pgtasker/pgtasker/template"
)

// Abandon makes the task of a [Child] continue if the step ends before the task. By default the task is then cancelled.
func Abandon() StepOption {
	return stepOption(func(n *node) {
		if n.step.Task == nil {
			n.graph.problem("step %q has Abandon, which is for Child", n.step.Name)
			return
		}
		n.step.Task.Abandon = new(true)
	})
}

// Child adds a step without a function. The step starts a task of another workflow and waits for the task. The context of the task is the
// result of the step that is passed as from. The result of the added step is the result of the child's step that is passed as last. No
// other step of the child may depend on last. After this call no steps can be added to the child.
//
//	parcel := workflow.Child(order, "ship", shipping, label, pick)
//	bill := workflow.After1(order, "bill", parcel, sendBill) // gets the result of label
//
// [Timeout] bounds how long the step waits. [OnTimeout] decides how the step ends after that time, and with [Abandon] the task then
// continues. With [Retry], each further attempt resets the task. By default the step waits without a time limit and has one attempt.
//
// The task has the version of the child in this program, also if the child was made with [FromContent].
func Child[C, K, R any](
	w *Workflow[C], name string, child *Workflow[K], last Step[K, R], from Step[C, K], options ...StepOption,
) Step[C, R] {
	reference := "null"
	if len(from.own) == 1 {
		reference = fmt.Sprintf(`{"step": %q}`, from.own[0].node.step.Name)
	} else if len(from.problems) == 0 {
		from.problem("its task needs one step that makes its context")
	}
	return start(w, name, child, last, json.RawMessage(reference), []parent{from.parent}, options)
}

// ChildWithContext is [Child] for a workflow with the same context type. The child's task gets the context of this task. Pass nil as after
// if the step depends on no other step.
func ChildWithContext[C, R any](
	w *Workflow[C], name string, child *Workflow[C], last Step[C, R], after Of[C], options ...StepOption,
) Step[C, R] {
	return start(w, name, child, last, nil, orders(after), options)
}

func start[C, K, R any](
	w *Workflow[C], name string, child *Workflow[K], last Step[K, R], context json.RawMessage, parents []parent, options []StepOption,
) Step[C, R] {
	t := child.graph.seal()
	n := &node{step: template.Step{
		Name: name,
		Task: &template.Task{Namespace: t.Namespace, Name: t.Name, Version: t.Version, Context: context},
	}}
	if problem := child.graph.lastProblem(last.parent); problem != "" {
		w.graph.problem("step %q: %s", name, problem)
	}
	w.graph.add(n, parents, options)
	return Step[C, R]{parent: parent{graph: w.graph, own: []edge{{node: n}}}, read: readOfChild(n, last)}
}

// lastProblem says why a step is not the last step of the graph, whose result the task has. It returns "" if the step is the last.
func (g *graph) lastProblem(p parent) string {
	if len(p.own) != 1 || p.graph != g {
		return fmt.Sprintf("the step whose result it takes is not one of %s", g)
	}
	name := p.own[0].node.step.Name
	for _, n := range g.order {
		for _, d := range n.step.Dependencies {
			if d.Step == name {
				return fmt.Sprintf("step %q of %s is none of its last: %q depends on it", name, g, n.step.Name)
			}
		}
	}
	return ""
}

// readOfChild reads the result of the child's last step, which the step's result holds under the name of that last step.
func readOfChild[K, R any](n *node, last Step[K, R]) func(results) (R, error) {
	return func(from results) (value R, err error) {
		raw, found, err := from(n.step.Name)
		switch {
		case err != nil:
			return value, err
		case !found:
			return value, missingError{n.step.Name, "has no result"}
		case len(last.own) != 1:
			return value, missingError{n.step.Name, "takes the result of no step"}
		}
		return resultOfTask(n, last, raw)
	}
}

// resultOfTask decodes the result of a child's last step from the result of its task.
func resultOfTask[K, R any](n *node, last Step[K, R], raw json.RawMessage) (value R, err error) {
	var byName map[string]json.RawMessage
	if err := jsonfit.DecodeResult(n.step.Name, raw, &byName); err != nil {
		return value, err
	}
	value, err = last.read(func(step string) (json.RawMessage, bool, error) {
		raw, found := byName[step]
		return raw, found, nil
	})
	if errors.Is(err, jsonfit.ErrMisfit) { // For this task the child is the step above.
		err = &jsonfit.OtherBuildError{Step: n.step.Name, Err: err}
	}
	return value, err
}
