package workflow

import (
	"time"

	"github.com/pgtasker/pgtasker/template"
	"github.com/pgtasker/pgtasker/worker"
)

// OnTimeout decides how a step ends when the time of its [Timeout], or of Waiting.Timeout, is over. It is an option of [Await] and [Child].
type OnTimeout string

// These are the ways in which a step ends after a timeout.
const (
	// Fail makes the step fail for good. Fail is the default.
	Fail OnTimeout = "fail"
	// Skip skips the step and the steps that need its answer.
	Skip OnTimeout = "skip"
	// Complete completes the step with an [Answer] whose By is "timeout".
	Complete OnTimeout = "complete"
)

func (o OnTimeout) step(n *node) { n.step.OnTimeout = string(o) }

// Await adds a step without a function. The step waits for the source, which is a signal or an event, or for an alternative in waiting.
// While it waits, the step uses no worker, no connection and no attempt. Its result is an [Answer], which says how the wait ended. The step
// begins to wait when the steps of the argument after are complete. Pass one step, several steps with [Step.And], or nil for no step.
//
//	decision := workflow.Await(order, "approve", approved, workflow.Waiting{Timeout: 72 * time.Hour, Assignee: "finance"}, check)
func Await[C, P any](
	w *Workflow[C], name string, source worker.Source[P], waiting Waiting, after Of[C], options ...StepOption,
) Step[C, Answer[P]] {
	first := source.Await()
	first.When, first.Schema = waiting.When, waiting.Schema
	if first.Event != "" && waiting.LookBack > 0 {
		first.LookBack = template.Seconds(waiting.LookBack)
	}
	n := &node{step: template.Step{Name: name, Await: append([]template.Await{first}, waiting.Or...), Assignee: waiting.Assignee}}
	switch {
	case waiting.Timeout < 0:
		w.graph.problem("step %q: its timeout, %s, is below 0", name, waiting.Timeout)
	case waiting.Timeout != 0:
		n.step.Timeout = template.Seconds(waiting.Timeout)
	}
	return wait[C, P](w, n, after, options)
}

// Pause adds a step that waits for the duration d. The wait begins when the steps of the argument after are complete, or at the start of
// the task if after is nil.
func Pause[C any](w *Workflow[C], name string, d time.Duration, after Of[C], options ...StepOption) Step[C, Answer[struct{}]] {
	n := &node{step: template.Step{Name: name, Await: []template.Await{{For: template.Seconds(d)}}}}
	if d <= 0 {
		w.graph.problem("step %q pauses for %s: a pause is above 0", name, d)
	}
	return wait[C, struct{}](w, n, after, options)
}

func wait[C, P any](w *Workflow[C], n *node, after Of[C], options []StepOption) Step[C, Answer[P]] {
	w.graph.add(n, orders(after), options)
	return Step[C, Answer[P]]{parent: parent{graph: w.graph, own: []edge{{node: n}}}, read: readOf[Answer[P]](n)}
}

// orders returns a step as a dependency whose result is not read. For nil it returns no dependency.
func orders[C any](after Of[C]) []parent {
	if after == nil {
		return nil
	}
	var c C
	p := after.of(c)
	p.optional = true // A wait reads no results.
	return []parent{p}
}
