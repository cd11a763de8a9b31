package workflow

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/pgtasker/pgtasker/internal/jsonfit"
	"github.com/pgtasker/pgtasker/template"
)

// Starting says how a step waits for the task that it starts. Its zero value waits without end, once.
type Starting struct {
	// Timeout is how long the step waits at most. Default: without end.
	Timeout time.Duration
	// OnTimeout is what becomes of the step then; its task is cancelled. Default: [Fail].
	OnTimeout AfterTimeout
	// Abandon lets the task go on if the step ends before it. Default: it is cancelled.
	Abandon bool
	// Options of the step: [Description], [JoinAny], [JoinSettled], and [Attempts] with its waits, where each further attempt resets
	// the task. Default: one attempt.
	Options []StepOption
}

// Child adds a step that has no function: it starts a task of another workflow and waits for it. The context of the task is
// the result of the step from; the result of the step is that of the child's step last, which no other step of the child may
// depend on. The child is complete with this: it takes no further steps.
//
//	parcel := workflow.Child(order, "ship", shipping, label, pick, workflow.Starting{})
//	bill := workflow.After1(order, "bill", parcel, sendBill) // gets what label returned
//
// The version of the child is that of this program, so a child made with [FromContent] is started by its content.
func Child[C, K, R any](
	w *Workflow[C], name string, child *Workflow[K], last Step[K, R], from Step[C, K], starting Starting,
) Step[C, R] {
	reference := "null"
	if len(from.own) == 1 {
		reference = fmt.Sprintf(`{"step": %q}`, from.own[0].node.step.Name)
	} else if len(from.problems) == 0 {
		from.problem("its task needs one step that makes its context")
	}
	return start(w, name, child, last, json.RawMessage(reference), []parent{from.parent}, starting)
}

// ChildWithContext is [Child] for a workflow with the same context, which its task gets from this one.
func ChildWithContext[C, R any](
	w *Workflow[C], name string, child *Workflow[C], last Step[C, R], starting Starting, after ...Of[C],
) Step[C, R] {
	parents := make([]parent, len(after))
	for i, step := range after {
		var c C
		parents[i] = step.of(c)
		parents[i].optional = true // It reads no results.
	}
	return start(w, name, child, last, nil, parents, starting)
}

func start[C, K, R any](
	w *Workflow[C], name string, child *Workflow[K], last Step[K, R], context json.RawMessage, parents []parent, starting Starting,
) Step[C, R] {
	t := child.graph.seal()
	n := &node{step: template.Step{
		Name: name, OnTimeout: string(starting.OnTimeout),
		Task: &template.Task{Namespace: t.Namespace, Name: t.Name, Version: t.Version, Context: context},
	}}
	if starting.Abandon {
		n.step.Task.Abandon = &starting.Abandon
	}
	if starting.Timeout != 0 {
		n.step.Timeout = template.Seconds(starting.Timeout)
	}
	if problem := child.graph.lastProblem(last.parent); problem != "" {
		w.graph.problem("step %q: %s", name, problem)
	}
	w.graph.add(n, parents, starting.Options)
	return Step[C, R]{parent: parent{graph: w.graph, own: []edge{{node: n}}}, read: readOfChild(n, last)}
}

// lastProblem says why a step is not the one whose result a task of the graph has; empty if it is.
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

// readOfChild reads the result of the child's last step, which the result of the step has under its name.
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
		var byName map[string]json.RawMessage
		if err := jsonfit.Decode(raw, &byName); err != nil {
			return value, fmt.Errorf("the result of %q %w", n.step.Name, err)
		}
		return last.read(func(step string) (json.RawMessage, bool, error) {
			raw, found := byName[step]
			return raw, found, nil
		})
	}
}
