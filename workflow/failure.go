package workflow

import (
	"context"
	"slices"
	"time"

	"github.com/pgtasker/pgtasker/worker"
)

// Failure is a step that failed for good.
type Failure struct {
	Step string `json:"step"`
	// Error is the error of the step's last attempt.
	Error    string    `json:"error"`
	Attempts int       `json:"attempts"`
	FailedAt time.Time `json:"failed_at"`
}

// OnFailure adds a step that runs because another step failed for good. The added step runs when all steps of the argument after have
// ended, if one of them failed, or could not run because an earlier step failed. Its function gets the failures in the order in which they
// happened. If no step failed, the added step is skipped.
//
//	charge := workflow.After1(order, "charge", reserve, …)
//	workflow.OnFailure(order, "alert", charge, func(ctx context.Context, job *workflow.Job[Order], failed []workflow.Failure) error {
//		return pager.Alert(ctx, failed[0].Step, failed[0].Error)
//	})
//
// A failure with such a step does not block the task: the task is complete when all steps have settled. With [FailOnFailure] the task then
// fails.
func OnFailure[C any](
	w *Workflow[C], name string, after Of[C], f func(context.Context, *Job[C], []Failure) error, options ...StepOption,
) Step[C, struct{}] {
	return addBranch(w, name, after, "failed", "any", f, options)
}

// Finally adds a step that runs when all steps of the argument after have ended, whether they succeeded or not. Its function gets the
// failures of these steps and of the steps before them. If no step failed, the slice is empty. The task ends as with [OnFailure].
func Finally[C any](
	w *Workflow[C], name string, after Of[C], f func(context.Context, *Job[C], []Failure) error, options ...StepOption,
) Step[C, struct{}] {
	return addBranch(w, name, after, "ended", "settled", f, options)
}

// addBranch adds a step that waits for a failure or for any end of its dependencies, instead of their success.
func addBranch[C any](
	w *Workflow[C], name string, after Of[C], on, join string, f func(context.Context, *Job[C], []Failure) error, options []StepOption,
) Step[C, struct{}] {
	parents := orders(after)
	if len(parents) == 0 {
		w.graph.problem("step %q waits for the end of no step", name)
	}
	for i, p := range parents {
		ends := slices.Concat(p.own, p.also)
		for j, e := range ends {
			if e.when != "" {
				parents[i].problem("a failure of %q has no result for the condition %q", e.node.step.Name, e.when)
			}
			ends[j].on = on
		}
		parents[i].own, parents[i].also = nil, ends
	}
	options = append([]StepOption{stepOption(func(n *node) { n.step.Join = join })}, options...)
	var handle func(context.Context, *Job[C], results) (struct{}, error)
	if f != nil {
		handle = func(ctx context.Context, job *Job[C], _ results) (struct{}, error) {
			failed, err := failures(&job.Step)
			if err != nil {
				return struct{}{}, err
			}
			return struct{}{}, f(ctx, job, failed)
		}
	}
	return add(w, name, f, parents, options, handle)
}

// failures decodes the failures in the inputs of a step.
func failures(step *worker.Step) ([]Failure, error) {
	var inputs struct {
		Failures []Failure `json:"failures"`
	}
	err := step.Inputs(&inputs)
	return inputs.Failures, err
}
